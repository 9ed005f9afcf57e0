import { prepareSuite } from './support/prepare-suite';

/** Once before all specs. */
export default prepareSuite;
