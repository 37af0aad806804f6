/** A setting as `/config` shows it: booleans and durations are text. */
export type SettingValue = string | number;

/** A setting that ends by itself. */
export interface LentSetting {
  readonly value: SettingValue;
  /** Unix nanoseconds in decimal. */
  readonly untilNs: string;
}
