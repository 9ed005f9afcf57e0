import { type Mutation } from '../mutation';

/** What adapters do to requests and answers. */
export const modelMutations: readonly Mutation[] = [
  {
    rule: 9,
    name: "Gemini is sent the engine's own call ids",
    file: 'libs/models/src/gemini/to-gemini-part.ts',
    from: "const OUR_CALL_ID = 'adk-';",
    to: "const OUR_CALL_ID = 'other-';",
    spec: 'libs/models/src/gemini/to-gemini-request.spec.ts',
    test: 'strips the call ids the engine gave',
  },
  {
    rule: 14,
    name: 'an empty conversation is sent empty',
    file: 'libs/models/src/request/with-user-last.ts',
    from: 'return [userText(NOTHING_SAID)];',
    to: 'return [];',
    spec: 'libs/models/src/gemini/to-gemini-request.spec.ts',
    test: 'has the user speak when nothing was said',
  },
  {
    rule: 17,
    name: 'pieces of an answer are not marked partial',
    file: 'libs/engine/src/model/stream-aggregator.ts',
    from: 'parts: shown }, partial: true }',
    to: 'parts: shown } }',
    spec: 'libs/models/src/gemini/gemini.model.spec.ts',
    test: 'gives chunks as partial answers, then the whole answer',
  },
];
