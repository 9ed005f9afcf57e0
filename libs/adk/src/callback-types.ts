import type {
  AfterModelCallback as SingleAfterModelCallback,
  AfterToolCallback as SingleAfterToolCallback,
  AgentCallback as SingleAgentCallback,
  BeforeModelCallback as SingleBeforeModelCallback,
  BeforeToolCallback as SingleBeforeToolCallback,
  OneOrMany,
  OnModelErrorCallback as SingleOnModelErrorCallback,
  OnToolErrorCallback as SingleOnToolErrorCallback,
} from '@skein/engine';

// As @google/adk has them: the plain name is one callback or a list, `Single…` is one.
export type BeforeAgentCallback = OneOrMany<SingleAgentCallback>;
export type AfterAgentCallback = OneOrMany<SingleAgentCallback>;
export type BeforeModelCallback = OneOrMany<SingleBeforeModelCallback>;
export type AfterModelCallback = OneOrMany<SingleAfterModelCallback>;
export type OnModelErrorCallback = OneOrMany<SingleOnModelErrorCallback>;
export type BeforeToolCallback = OneOrMany<SingleBeforeToolCallback>;
export type AfterToolCallback = OneOrMany<SingleAfterToolCallback>;
export type OnToolErrorCallback = OneOrMany<SingleOnToolErrorCallback>;
export type {
  SingleAfterModelCallback,
  SingleAfterToolCallback,
  SingleAgentCallback,
  SingleBeforeModelCallback,
  SingleBeforeToolCallback,
  SingleOnModelErrorCallback,
  SingleOnToolErrorCallback,
};
