/** Why a recorded answer is not compared (tier 3). */
export type Reason = keyof typeof NOT_COVERED;

/**
 * The recorded answers that the stand-in does not claim to give. Adding a name here is a decision, and their number may
 * only fall.
 */
export const NOT_COVERED: Readonly<Record<'changes' | 'shows-scheduling' | 'order-of-ties', readonly string[]>> = {
  changes: [
    'not-bootstrapped/POST_pd.api.v1.schedulers',
    'store-silent/POST_pd.api.v1.config',
    'store-silent/POST_pd.api.v1.config~default',
    'pd-leader-killed/POST_pd.api.v1.config~pd0-elected',
    'pd-leader-killed/POST_pd.api.v1.schedulers.balance-region-scheduler~pd0-elected',
    'pd-leader-killed/POST_pd.api.v1.schedulers.balance-region-scheduler~pd2-elected',
    'pd-leader-killed/POST_pd.api.v1.config~pd2-elected',
    'pd-leader-killed/POST_pd.api.v1.config~pd0-settled',
    'pd-leader-killed/POST_pd.api.v1.schedulers.balance-region-scheduler~pd0-settled',
    'pd-leader-killed/POST_pd.api.v1.config~pd2-settled',
    'pd-leader-killed/POST_pd.api.v1.schedulers.balance-region-scheduler~pd2-settled',
    'healthy/GET_pd.api.v1.store.1.label',
  ],
  'shows-scheduling': [
    'healthy/GET_pd.api.v1.operators.5',
    'healthy/GET_pd.api.v1.operators.records',
    'store-silent/GET_pd.api.v1.operators~repair-balance-leader-scheduler',
    'store-silent/GET_pd.api.v1.operators@object=1~repair-balance-leader-scheduler',
    'store-silent/GET_pd.api.v1.operators@kind=region~repair-balance-leader-scheduler',
    'store-silent/GET_pd.api.v1.operators~disconnected',
    'store-silent/GET_pd.api.v1.operators~down',
    'store-silent/GET_pd.api.v1.operators~repair-replace-rule-down-peer',
    'store-silent/GET_pd.api.v1.operators@object=1~repair-replace-rule-down-peer',
    'store-silent/GET_pd.api.v1.operators@kind=region~repair-replace-rule-down-peer',
    'store-silent/GET_pd.api.v1.stores~repaired',
    'store-silent/GET_pd.api.v1.store.4~repaired',
    'store-silent/GET_pd.api.v1.stores.check@state=disconnected~repaired',
    'store-silent/GET_pd.api.v1.stores.check@state=down~repaired',
    'store-silent/GET_pd.api.v1.stores.check@state=up~repaired',
    'store-silent/GET_pd.api.v1.regions.check.down-peer~repaired',
    'store-silent/GET_pd.api.v1.regions.check.miss-peer~repaired',
    'store-silent/GET_pd.api.v1.regions.check.pending-peer~repaired',
    'store-silent/GET_pd.api.v1.stats.region~repaired',
    'store-silent/GET_pd.api.v1.operators~repaired',
    'store-silent/GET_pd.api.v1.schedulers~repaired',
    'store-silent/GET_pd.api.v1.hotspot.stores~repaired',
    'store-silent/GET_pd.api.v1.health~repaired',
    'store-silent/GET_pd.api.v1.labels.stores@name=host+value=tikv3~repaired',
    'store-silent/GET_pd.api.v1.operators.records~repaired',
  ],
  'order-of-ties': ['healthy/GET_pd.api.v1.regions.confver@limit=2'],
};
