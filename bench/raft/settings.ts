import type { Weather } from './network.js';

/** What a cluster is like for a whole run. */
export interface Settings {
  founders: number;
  weather: Weather;
  heartbeatTicks: number;
  maxEntriesPerMessage: number;
  trailingEntries: number;
  /** Applied entries after which a member compacts its log. */
  compactEvery: number;
  /** The first election is called by hand. */
  called: boolean;
}
