import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { getFunctionResponses } from '../event/function-parts';
import { type Parameters } from '../tool/function-declaration';
import { refuseArguments } from '../tool/refuse-arguments';
import { SET_MODEL_RESPONSE } from '../tool/set-model-response-tool';
import { SKIPPED_MODEL } from './answers-of';

/** The agent's answer after its model gave it by calling set_model_response (B38); nothing when it did not. */
export function structuredOutputEvent(
  agent: LlmAgent,
  context: InvocationContext,
  response: Event,
): Event | undefined {
  if (!agent.output) return undefined;
  const given = getFunctionResponses(response).find(({ name }) => name === SET_MODEL_RESPONSE)?.response;
  if (!given || isRefusal(given, agent.output)) return undefined;
  const step = { stepKey: context.frame.step('output') };
  return (
    context.ledger.takeStored(step) ??
    context.ledger.createStepEvent(step, {
      content: { role: 'model', parts: [{ text: JSON.stringify(unwrapped(given, agent.output)) }] },
      // No model was asked for this very event.
      customMetadata: { [SKIPPED_MODEL]: true },
    })
  );
}

type Answer = Readonly<Record<string, unknown>>;

/** Refused arguments are an error the model reads, and calls again; unless an error is what the schema asks for. */
function isRefusal(given: Answer, output: Parameters): boolean {
  if (!('error' in given)) return false;
  return !hasField(output, 'error') || refuseArguments(SET_MODEL_RESPONSE, output, given) !== undefined;
}

/** A schema's transformation may give something else than an object; in a function response that stands below `result`. */
function unwrapped(given: Answer, output: Parameters): unknown {
  const isWrapped = Object.keys(given).join() === 'result' && !hasField(output, 'result');
  return isWrapped ? given.result : given;
}

function hasField({ jsonSchema }: Parameters, name: string): boolean {
  return Object.hasOwn(jsonSchema?.properties ?? {}, name);
}
