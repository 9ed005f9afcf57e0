export { FleetRateLimiter } from './fleet-rate-limiter';
