/** How much may run without a person: proposals only, what a person approved, or also what policy approved before. */
export const AUTONOMY = ['observe', 'ask', 'playbooks'] as const;
export type Autonomy = (typeof AUTONOMY)[number];

/** The version-controlled policy of one environment, as the kernel uses it; the loader turns YAML into it. */
export interface PolicyFile {
  readonly version: 1;
  readonly environment: string;
  readonly autonomy: Autonomy;
  readonly preApproved: readonly PreApproval[];
}

/** An action that an agent may run without asking, within a rate. */
export interface PreApproval {
  readonly action: string;
  readonly agent: string;
  /** Counted across tickets by the desk. */
  readonly max: Rate;
  /** Also while the picture cannot be read; only for restorative actions, which then rest on their witness alone. */
  readonly evenIfUnreadable?: boolean;
}

/** At most `times` runs for each target within `withinMs`. */
export interface Rate {
  readonly times: number;
  readonly per: 'target';
  readonly withinMs: number;
}
