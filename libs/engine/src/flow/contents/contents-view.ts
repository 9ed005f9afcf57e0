/** Whose eyes a history is read with: the agent that asks the model, and where it stands. */
export interface ContentsView {
  readonly agentName: string;
  /** Dot-separated; an agent sees its own branch and those above it (B3). */
  readonly branch?: string | undefined;
  /** `none` is the current turn alone, not nothing (B10). */
  readonly includeContents: 'default' | 'none';
  /** The id of the call a task agent works on: it sees that scope alone, and the call's arguments first (B13). */
  readonly isolationScope?: string | undefined;
  readonly includeThoughtsFromOtherAgents?: boolean | undefined;
}
