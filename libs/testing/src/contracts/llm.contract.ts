/// <reference types="jest" />
import { type ProviderDialect } from '../providers/provider-dialect';
import { answerCases } from './llm/answer-cases';
import { failureCases } from './llm/failure-cases';
import { historyCases } from './llm/history-cases';
import { saying, Trial, type LlmParams } from './llm/trial';
import { partCases } from './llm/part-cases';
import { requestCases } from './llm/request-cases';
import { toolNameCases } from './llm/tool-name-cases';
import { tornHistoryCases } from './llm/torn-history-cases';
import { type BaseLlm } from '@skein/engine';

/** An adapter, and the wire format of the provider that it is for. */
export interface LlmUnderTest {
  readonly dialect: ProviderDialect;
  /** A name that the adapter answers to. */
  readonly model: string;
  /** Makes one as an author does; everything that is given has to be used. */
  readonly make: (params: LlmParams) => BaseLlm;
}

/** What every adapter of a model provider does, in both streaming modes, against a server that speaks as the provider. */
export function llmContract(name: string, { dialect, model, make }: LlmUnderTest): void {
  describe.each([false, true])(`${name}: the contract of models, stream: %s`, (stream) => {
    const trial = new Trial(make, stream);

    // The first request loads the provider's SDK, which takes its time, and no case's.
    beforeAll(async () => {
      await trial.start(dialect, model);
      const limits = { connectTimeoutMs: 60_000, idleTimeoutMs: 60_000, totalTimeoutMs: 60_000 };
      await trial.whole(saying('Well.'), { llm: limits });
      await trial.end();
    }, 90_000);
    beforeEach(() => trial.start(dialect, model));
    afterEach(() => trial.end());

    describe('an answer', () => answerCases(trial));
    describe('a request', () => requestCases(trial, dialect));
    describe('a part', () => partCases(trial, dialect));
    describe('a history', () => historyCases(trial, dialect));
    describe('a history in pieces', () => tornHistoryCases(trial));
    describe('the name of a tool', () => toolNameCases(trial));
    describe('a failure', () => failureCases(trial, dialect));
  });
}
