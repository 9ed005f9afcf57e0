// A part of jest, of the version that runs, not a dependency of ours: knip.json leaves it out.
const { default: Sequencer } = require('@jest/test-sequencer');

/** What starts processes and takes minutes; a small file of it says nothing of its time. */
const BEFORE_OTHERS = ['conformance', 'integration', 'security'];

/** Jest's own order, long ones first, but units last of all: at the end no worker waits for a long spec of another. */
module.exports = class LongFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const placeOf = ({ context }) => {
      const place = BEFORE_OTHERS.indexOf(context.config.displayName?.name);
      return place === -1 ? BEFORE_OTHERS.length : place;
    };
    return sorted.sort((a, b) => placeOf(a) - placeOf(b));
  }
};
