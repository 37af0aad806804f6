import { z } from 'zod';

/** 64 bits: a number when it is safe, else its digits (see `parseLossless`); digits from here on. */
const id = z.union([z.number(), z.string()]).transform(String);
const count = z.number().default(0);
const member = z.object({ name: z.string().optional() });

/** `/pd/api/v1/members`. A member that was added but never started has no name. */
export const membersSchema = z.object({
  members: z.array(member),
  leader: member.nullish(),
  etcd_leader: member.nullish(),
});

/** `/pd/api/v1/status`, answered by each member itself. */
export const statusSchema = z.object({ start_timestamp: z.number() });

/** etcd's `/health`: 200 and 503 have the same shape. */
export const etcdHealthSchema = z.object({ health: z.string(), reason: z.string().default('') });

/** One entry of `/pd/api/v1/stores`, or `/pd/api/v1/store/{id}`. Zero values are left out by PD. */
export const storeSchema = z.object({
  store: z.object({
    id,
    address: z.string(),
    state_name: z.enum(['Up', 'Disconnected', 'Down', 'Offline', 'Tombstone']),
    start_timestamp: count,
  }),
  status: z.object({
    capacity: z.string().default(''),
    available: z.string().default(''),
    leader_count: count,
    region_count: count,
    leader_score: count,
    region_score: count,
    leader_weight: z.number().optional(),
    region_weight: z.number().optional(),
    pending_peer_count: count,
    slow_score: z.number().optional(),
    network_slow_score: z.record(z.string(), z.number()).default({}),
    last_heartbeat_ts: z.string().optional(),
  }),
});

export const storesSchema = z.object({ stores: z.array(storeSchema) });

/** `/pd/api/v1/stats/region`: stores with 0 leaders are absent from the map. */
export const regionStatsSchema = z.object({
  count: z.number(),
  store_leader_count: z.record(z.string(), z.number()).nullish(),
});

/** `/pd/api/v1/schedulers`, with or without a status; Go writes an empty list as `null` in places. */
export const schedulerNamesSchema = z
  .array(z.string())
  .nullable()
  .transform((names) => names ?? []);

/** `/pd/api/v1/config/schedule`. PD writes switches as text and leaves out one that is off. */
export const scheduleConfigSchema = z.object({
  'leader-schedule-limit': z.number(),
  'halt-scheduling': z
    .union([z.boolean(), z.enum(['true', 'false'])])
    .default(false)
    .transform((value) => value === true || value === 'true'),
  'region-schedule-limit': z.number().optional(),
  'replica-schedule-limit': z.number().optional(),
  'store-limit': z.record(z.string(), z.object({ 'add-peer': z.number(), 'remove-peer': z.number() })).default({}),
});

/** `/pd/api/v1/scheduler-config/{evict,grant}-leader-scheduler/list` */
export const heldStoresSchema = z.object({ 'store-id-ranges': z.record(z.string(), z.unknown()).nullish() });

/** `/pd/api/v1/regions/check/...`: only the count is of use for each sample. */
export const countSchema = z.object({ count: z.number() });

const peer = z.object({
  id,
  store_id: id,
  /** Left out for a plain voter by some versions. */
  role_name: z.string().default('Voter'),
});

export const regionsSchema = z.object({
  regions: z.array(
    z.object({
      id,
      peers: z.array(peer),
      leader: z.object({ store_id: id.optional() }).nullish(),
      down_peers: z.array(z.object({ peer })).nullish(),
      pending_peers: z.array(peer).nullish(),
    }),
  ),
});

export type PdStoreEntry = z.infer<typeof storeSchema>;
export type PdRegions = z.infer<typeof regionsSchema>;
export type PdMembers = z.infer<typeof membersSchema>;
export type PdStores = z.infer<typeof storesSchema>;
