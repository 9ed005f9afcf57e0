export {
  configureEgress,
  type EgressSettings,
  egressSettingsFrom,
  isEgressAllowList,
} from './egress/egress-settings';
export { type GuardedFetch, guardedFetch, type GuardedFetchOptions } from './egress/guarded-fetch';
