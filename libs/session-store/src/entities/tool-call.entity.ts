import { type ToolConfirmation, type ToolPolicy } from '@skein/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { InvocationEntity } from './invocation.entity';

type Json = Record<string, unknown>;

/** `adk_tool_calls`: one dispatch of one call. Its first result wins, and is applied at most once. */
@Entity('adk_tool_calls')
@Check('adk_tool_calls_status', `status = ANY ('{queued,dispatched,running,done,dead}')`)
@Index('adk_tool_calls_turns', ['pool', 'priority', 'appName', 'userId', 'tool', 'notBefore'], {
  where: `status = 'queued'`,
})
@Index('adk_tool_calls_waiting', ['pool', 'appName', 'tool', 'notBefore'], {
  where: `status = 'queued' AND call_index >= 0`,
})
@Index('adk_tool_calls_under_way', ['pool', 'appName', 'userId'], {
  where: `status IN ('dispatched', 'running')`,
})
@Index('adk_tool_calls_deadline', ['deadline', 'dispatchId'], {
  where: `status IN ('dispatched', 'running')`,
})
@Index('adk_tool_calls_start_deadline', ['startDeadline', 'dispatchId'], {
  where: `status IN ('queued', 'dispatched')`,
})
@Index('adk_tool_calls_sent', ['confirmedAt', 'sentAt'], { where: `status = 'dispatched'` })
@Index('adk_tool_calls_unapplied', ['invocationId'], {
  where: 'result IS NOT NULL AND applied_seq IS NULL',
})
@Index('adk_tool_calls_limited', ['appName', 'tool'], {
  where: `status IN ('dispatched', 'running') AND policy ? 'maxConcurrency'`,
})
export class ToolCallEntity {
  @PrimaryColumn({ type: 'text', name: 'dispatch_id', collation: 'C' })
  readonly dispatchId!: string;

  @Index('adk_tool_calls_invocation_id')
  @Column({ type: 'text', name: 'invocation_id', collation: 'C' })
  readonly invocationId!: string;

  // Bound by the lock of its session and a trigger of the database (ADR 22).
  @ManyToOne(() => InvocationEntity, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'invocation_id' })
  readonly invocation?: InvocationEntity;

  @Column({ type: 'text', name: 'step_key' })
  readonly stepKey!: string;

  @Column({ type: 'integer', name: 'call_index' })
  readonly callIndex!: number;

  @Column({ type: 'text', name: 'call_id' })
  readonly callId!: string;

  @Column({ type: 'text', name: 'agent_name' })
  readonly agentName!: string;

  @Column({ type: 'text' })
  readonly tool!: string;

  @Column({ type: 'text' })
  readonly pool!: string;

  @Column({ type: 'jsonb' })
  readonly args!: Json;

  @Column({ type: 'jsonb' })
  readonly policy!: ToolPolicy;

  @Column({ type: 'jsonb', nullable: true })
  readonly confirmation!: ToolConfirmation | null;

  @Column({ type: 'text' })
  readonly status!: string;

  @Column({ type: 'integer', default: 1 })
  readonly attempt!: number;

  /** When the call was stored or last admitted, which is just before its message is sent. Later sends do not move it. */
  @Column({ type: 'timestamptz', name: 'sent_at' })
  readonly sentAt!: Date;

  /** When session-svc itself last put the message into the stream and was told so; until then it may be unsent. */
  @Column({ type: 'timestamptz', name: 'confirmed_at', nullable: true })
  readonly confirmedAt!: Date | null;

  @Column({ type: 'timestamptz' })
  readonly deadline!: Date;

  /** Of a call that may run once: the message whose worker said that it begins. */
  @Column({ type: 'text', name: 'begun_message', nullable: true })
  readonly begunMessage!: string | null;

  /** The one handling of that message that may run it. */
  @Column({ type: 'uuid', name: 'begun_by', nullable: true })
  readonly begunBy!: string | null;

  /** The result message, where it was stored before its response event was. */
  @Column({ type: 'jsonb', nullable: true })
  readonly result!: Json | null;

  /** The epoch whose owner has taken the stored result. */
  @Column({ type: 'bigint', name: 'forwarded_epoch', nullable: true })
  readonly forwardedEpoch!: number | null;

  @Column({ type: 'timestamptz', name: 'forwarded_at', nullable: true })
  readonly forwardedAt!: Date | null;

  @Column({ type: 'bigint', name: 'applied_seq', nullable: true })
  readonly appliedSeq!: number | null;

  @Column({ type: 'text', name: 'app_name', collation: 'C', nullable: true })
  readonly appName!: string | null;

  @Column({ type: 'text', name: 'user_id', collation: 'C', nullable: true })
  readonly userId!: string | null;

  /** 0 goes before 1, and that before 2. */
  @Column({ type: 'smallint', default: 1 })
  readonly priority!: number;

  /** Of a call that waits for its turn: since when it may have it. */
  @Column({ type: 'timestamptz', name: 'not_before', nullable: true })
  readonly notBefore!: Date | null;

  /** By when an execution of it has to begin. */
  @Column({ type: 'timestamptz', name: 'start_deadline', nullable: true })
  readonly startDeadline!: Date | null;

  /** When it was last admitted. */
  @Column({ type: 'timestamptz', name: 'dispatched_at', nullable: true })
  readonly dispatchedAt!: Date | null;

  /** When the call was stored. */
  @Column({ type: 'timestamptz', name: 'inserted_at', default: () => 'now()' })
  readonly insertedAt!: Date;

  /** How often workers gave it back unrun. */
  @Column({ type: 'integer', default: 0 })
  readonly returned!: number;

  /** How often of those it had met a worker without its tool. */
  @Column({ type: 'integer', default: 0 })
  readonly missed!: number;

  /** The start deadline it had until a worker was heard to be at it: it holds again when that one gives it back unrun. */
  @Column({ type: 'timestamptz', name: 'start_by', nullable: true })
  readonly startBy!: Date | null;

  /** How often it was begun, under this attempt and those before; of one that nobody asked to begin again, not known. */
  @Column({ type: 'integer', nullable: true })
  readonly starts!: number | null;
}
