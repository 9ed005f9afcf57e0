import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { InvocationEntity } from './invocation.entity';

/** `adk_inputs`: what an invocation was given; each begins the segment of its ordinal. */
@Entity('adk_inputs')
@Index('adk_inputs_idempotency_key', ['appName', 'userId', 'idempotencyKey'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class InputEntity {
  @PrimaryColumn({ type: 'text', name: 'invocation_id', collation: 'C' })
  readonly invocationId!: string;

  @PrimaryColumn({ type: 'integer' })
  readonly ordinal!: number;

  // Bound by the lock of its session and a trigger of the database (ADR 22).
  @ManyToOne(() => InvocationEntity, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'invocation_id' })
  readonly invocation?: InvocationEntity;

  @Column({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @Column({ type: 'text', name: 'user_id', collation: 'C' })
  readonly userId!: string;

  @Column({ type: 'jsonb', nullable: true })
  readonly message!: Record<string, unknown> | null;

  @Column({ type: 'jsonb', name: 'state_delta', nullable: true })
  readonly stateDelta!: Record<string, unknown> | null;

  @Column({ type: 'jsonb', name: 'run_config' })
  readonly runConfig!: Record<string, unknown>;

  @Column({ type: 'text', name: 'function_call_event_id', nullable: true })
  readonly functionCallEventId!: string | null;

  @Column({ type: 'text', name: 'idempotency_key', nullable: true, collation: 'C' })
  readonly idempotencyKey!: string | null;

  /** Of the body the key came with; the same key with another body is refused. */
  @Column({ type: 'text', name: 'body_digest', nullable: true })
  readonly bodyDigest!: string | null;

  /** The session's head before this input. */
  @Column({ type: 'bigint', name: 'after_seq' })
  readonly afterSeq!: number;

  /** The place in the session's queue that its segment takes, so that inputs are served in the order they came. */
  @Column({ type: 'bigint', name: 'queue_no' })
  readonly queueNo!: number;

  /** Of the request it came with. */
  @Column({ type: 'text', nullable: true })
  readonly traceparent!: string | null;

  /** Whether its segment has begun. */
  @Column({ type: 'boolean', default: false })
  readonly applied!: boolean;

  /** How its segment ended: `{status, error}`. */
  @Column({ type: 'jsonb', nullable: true })
  readonly outcome!: Record<string, unknown> | null;

  /** The session's head when its segment ended. */
  @Column({ type: 'bigint', name: 'end_seq', nullable: true })
  readonly endSeq!: number | null;
}
