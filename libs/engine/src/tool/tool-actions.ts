import { type EventActions } from '@skein/contracts';
import { applyActions } from '../event/apply-actions';
import { type BaseTool } from './base-tool';
import { declaredOnly } from './declared-actions';
import { storableActions } from './storable-actions';

type Maps = Pick<
  EventActions,
  'stateDelta' | 'artifactDelta' | 'requestedAuthConfigs' | 'requestedToolConfirmations'
>;

/**
 * Actions a tool writes to in this process, which callbacks wrote to before it and write to after it. Once it ended they
 * become what they would be had it run in a worker: what was there, and over it what a tool may do.
 */
export class ToolActions {
  /** The records themselves: the state a callback sees writes to the one it was made with. */
  readonly #maps: Maps;
  readonly #before: EventActions;

  constructor(private readonly actions: EventActions) {
    const { stateDelta, artifactDelta, requestedAuthConfigs, requestedToolConfirmations } = actions;
    this.#maps = { stateDelta, artifactDelta, requestedAuthConfigs, requestedToolConfirmations };
    this.#before = {
      ...actions,
      stateDelta: { ...stateDelta },
      artifactDelta: { ...artifactDelta },
      requestedAuthConfigs: { ...requestedAuthConfigs },
      requestedToolConfirmations: { ...requestedToolConfirmations },
    };
  }

  /** Keeps of what the tool did what it may do, and answers what not. Throws what `storableActions` throws. */
  keep(tool: Pick<BaseTool, 'name' | 'actions'>): readonly string[] {
    const { actions, dropped } = declaredOnly(tool.actions, storableActions(tool.name, this.actions));
    this.takeBack();
    applyActions(this.actions, actions);
    return dropped;
  }

  /** As if the tool had not run. */
  takeBack(): void {
    for (const record of [this.actions, ...Object.values(this.#maps)]) {
      for (const key of Object.keys(record)) Reflect.deleteProperty(record, key);
    }
    Object.assign(this.actions, this.#maps);
    applyActions(this.actions, this.#before);
  }
}
