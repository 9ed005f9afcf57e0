import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { SessionEntity } from './session.entity';

type Json = Record<string, unknown>;

/** `adk_events`: the log. `extra` holds every field of the wire event that has no column of its own. */
@Entity('adk_events')
@Unique('adk_events_session_seq', ['appName', 'userId', 'sessionId', 'seq'])
@Index('adk_events_calls', ['appName', 'userId', 'sessionId', 'seq'], {
  where: `content @? '$.parts[*].functionCall'`,
})
@Index('adk_events_rewinds', ['appName', 'userId', 'sessionId', 'seq'], {
  where: `actions ? 'rewindBeforeInvocationId'`,
})
export class EventEntity {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  readonly id!: string;

  @PrimaryColumn({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @PrimaryColumn({ type: 'text', name: 'user_id', collation: 'C' })
  readonly userId!: string;

  @PrimaryColumn({ type: 'text', name: 'session_id', collation: 'C' })
  readonly sessionId!: string;

  // Bound by the session's lock and a trigger of the database (ADR 18).
  @ManyToOne(() => SessionEntity, { createForeignKeyConstraints: false })
  @JoinColumn([
    { name: 'app_name', referencedColumnName: 'appName' },
    { name: 'user_id', referencedColumnName: 'userId' },
    { name: 'session_id', referencedColumnName: 'id' },
  ])
  readonly session?: SessionEntity;

  @Column({ type: 'bigint' })
  readonly seq!: number;

  @Column({ type: 'text', name: 'invocation_id', nullable: true, collation: 'C' })
  readonly invocationId!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly author!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly branch!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  readonly content!: Json | null;

  @Column({ type: 'jsonb', nullable: true })
  readonly actions!: Json | null;

  @Column({ type: 'boolean', nullable: true })
  readonly partial!: boolean | null;

  @Column({ type: 'boolean', name: 'turn_complete', nullable: true })
  readonly turnComplete!: boolean | null;

  @Column({ type: 'text', name: 'error_code', nullable: true })
  readonly errorCode!: string | null;

  @Column({ type: 'text', name: 'error_message', nullable: true })
  readonly errorMessage!: string | null;

  @Column({ type: 'boolean', nullable: true })
  readonly interrupted!: boolean | null;

  @Column({ type: 'jsonb', name: 'custom_metadata', nullable: true })
  readonly customMetadata!: Json | null;

  @Column({ type: 'jsonb', name: 'usage_metadata', nullable: true })
  readonly usageMetadata!: Json | null;

  @Column({ type: 'jsonb', name: 'citation_metadata', nullable: true })
  readonly citationMetadata!: Json | null;

  @Column({ type: 'jsonb', name: 'grounding_metadata', nullable: true })
  readonly groundingMetadata!: Json | null;

  @Column({ type: 'text', array: true, name: 'long_running_tool_ids', nullable: true })
  readonly longRunningToolIds!: string[] | null;

  @Column({ type: 'timestamptz' })
  readonly timestamp!: Date;

  /** The step that made the event; none for events written by others than a run. */
  @Column({ type: 'text', name: 'step_key', nullable: true })
  readonly stepKey!: string | null;

  /** Of what the step asked for. */
  @Column({ type: 'text', name: 'step_hash', nullable: true })
  readonly stepHash!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  readonly extra!: Json | null;
}
