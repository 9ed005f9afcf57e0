import { AdkError } from '@skein/contracts';
import { FunctionTool, type FunctionToolParams } from './function-tool';
import { LongRunningFunctionTool } from './long-running-function-tool';
import { RemoteTool, type RemoteToolParams } from './remote-tool';
import { assertToolOptions } from './tool-options';

const SHIP = { name: 'ship', description: 'Ships.', execute: () => null };

/** Why it was refused, where the compiler was not asked. */
function refusalOf(make: () => unknown): { code: string; message: string } {
  try {
    make();
  } catch (error) {
    const { code, message } = AdkError.from(error);
    return { code, message };
  }
  throw new Error('the options were taken');
}

const made = (options: object): FunctionTool => new FunctionTool({ ...SHIP, ...options });

describe('an option that a tool does not have', () => {
  it.each([
    ['timeoutMS', 'timeoutMs'],
    ['timeout', 'timeoutMs'],
    ['retires', 'retry'],
    ['max_concurrency', 'maxConcurrency'],
    ['sideEffects', 'sideEffect'],
    ['paramaters', 'parameters'],
    ['require_confirmation', 'requireConfirmation'],
  ])('is refused with its name, and with the one that was probably meant: %s', (given, meant) => {
    const { code, message } = refusalOf(() => made({ [given]: 1 }));

    expect(code).toBe('tool.options');
    expect(message).toBe(
      `The options of tool "ship": ${given}: is no option of a tool, perhaps "${meant}" is meant.`,
    );
  });

  it('is refused without a guess where none is near', () => {
    expect(refusalOf(() => made({ xyzzy: 1 })).message).toBe(
      'The options of tool "ship": xyzzy: is no option of a tool.',
    );
  });

  it('is refused within `retry` and `rateLimit`, too, beside all else that is wrong', () => {
    const { message } = refusalOf(() =>
      made({ retry: { maxAttempt: 3 }, rateLimit: { calls: 1, perMS: 1 }, timeoutMs: 0, pol: 'x' }),
    );

    expect(message).toContain(
      'retry.maxAttempt: is no option of a tool, perhaps "retry.maxAttempts" is meant',
    );
    expect(message).toContain('rateLimit.perMS: is no option of a tool, perhaps "rateLimit.perMs" is meant');
    expect(message).toContain('timeoutMs: must be a whole number');
    expect(message).toContain('pol: is no option of a tool, perhaps "pool" is meant');
  });

  it('is refused of a long-running and of a remote tool, which has no place to be isolated in', () => {
    const remote = { name: 'ship', description: '', pool: 'gpu', isolation: 'thread' } as RemoteToolParams;

    expect(refusalOf(() => new LongRunningFunctionTool({ ...SHIP, ...{ retires: 1 } })).message).toContain(
      'retires: is no option of a tool, perhaps "retry" is meant',
    );
    expect(refusalOf(() => new RemoteTool(remote)).message).toContain('isolation: is no option of a tool');
  });

  it('is refused in the options that a toolset gives its tools, which have no name or code there', () => {
    const asserted = (options: object) => () => assertToolOptions('MCPToolset', options);

    expect(refusalOf(asserted({ retires: 1, execute: SHIP.execute, timeoutMs: -1 }))).toEqual({
      code: 'tool.options',
      message:
        'The tool options of MCPToolset: retires: is no option of a tool, perhaps "retry" is meant; ' +
        'execute: is no option of a tool; timeoutMs: must be a whole number from 1 to 2147483647.',
    });
    expect(asserted({ timeoutMs: 1_000, retry: {} })).not.toThrow();
  });
});

describe('what an author may give beside the options of a tool', () => {
  it('is nothing at all: an option without a value', () => {
    expect(made({ timeoutMS: undefined }).name).toBe('ship');
  });

  it('is all that @google/adk has', () => {
    const tool = made({ parameters: undefined, isLongRunning: true, requireConfirmation: () => true });

    expect(tool.isLongRunning).toBe(true);
  });

  it('is what a class of his own takes', () => {
    class Ship extends FunctionTool {
      readonly harbour: string;

      constructor(params: FunctionToolParams<undefined> & { readonly harbour: string }) {
        super(params);
        this.harbour = params.harbour;
      }
    }

    expect(new Ship({ ...SHIP, harbour: 'Oslo' }).name).toBe('ship');
  });
});
