import { handoverPatienceMs, subjects, type WorkMessage, workReplySchema } from '@skein/contracts';
import { mayHaveArrived, type RpcClient } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import { type RunnerDirectory } from './runner-directory';

export interface RunnerAnswersParts {
  readonly rpc: RpcClient;
  readonly directory: RunnerDirectory;
  readonly leaseMs: number;
  readonly logger: Logger;
}

/** `unknown`: of a guess, it did not begin. */
export type Answer = 'accepted' | 'refused' | 'unknown' | 'unanswered';

type Offered = Extract<WorkMessage, { kind: 'run' | 'guess' }>;

/** A runner answers from memory; one that has not answered by now is busy with something else, and gets no more work. */
const PROMPT_MS = 200;

/** What runners say to the work they are offered. */
export class RunnerAnswers {
  constructor(private readonly parts: RunnerAnswersParts) {}

  /**
   * Silence is no refusal: a runner whose event loop is busy has the message, and runs it once it reads it. To give the
   * invocation to another meanwhile would ask the model twice.
   */
  async to(message: Offered, runnerId: string): Promise<Answer> {
    const answer = await this.#promptAnswerTo(message, runnerId);
    if (answer === 'refused' || answer === 'unanswered') this.parts.directory.refused(runnerId);
    return answer;
  }

  #promptAnswerTo(message: Offered, runnerId: string): Promise<Answer> {
    const { leaseMs, directory } = this.parts;
    const patienceMs = handoverPatienceMs(leaseMs);
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        clearTimeout(slow);
        clearTimeout(silence);
        resolve(answer);
      };
      const slow = setTimeout(() => directory.refused(runnerId), PROMPT_MS);
      // When it was this process that was busy, the answer is here already and is read in the next turn.
      const silence = setTimeout(
        () => setImmediate(() => setImmediate(() => settle('unanswered'))),
        patienceMs,
      );
      void this.#ask(message, runnerId, 2 * patienceMs).then((answer) => {
        if (answer !== 'unanswered') settle(answer);
      });
    });
  }

  async #ask(message: Offered, runnerId: string, timeoutMs: number): Promise<Answer> {
    try {
      const reply = await this.parts.rpc.request(subjects.work(runnerId), workReplySchema, message, {
        timeoutMs,
      });
      const { disposition } = reply;
      return disposition === 'accepted' || disposition === 'unknown' ? disposition : 'refused';
    } catch (error) {
      const fields = { ...workIdsOf(message.handover), runnerId, err: error };
      this.parts.logger.info(fields, 'runner did not take a hand-over');
      return mayHaveArrived(error) ? 'unanswered' : 'refused';
    }
  }
}
