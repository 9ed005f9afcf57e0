import { type InvocationStatus } from '@skein/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { SessionEntity } from './session.entity';

/** `adk_invocations`: one run, its place in its session's queue, and who holds it until when. */
@Entity('adk_invocations')
@Check('adk_invocations_status', `status = ANY ('{queued,running,waiting,completed,failed,cancelled,dead}')`)
@Index('adk_invocations_active', ['appName', 'userId', 'sessionId', 'queueNo'], {
  unique: true,
  where: `status IN ('queued', 'running')`,
})
@Index('adk_invocations_session', ['appName', 'userId', 'sessionId', 'id'])
@Index('adk_invocations_stopped_at', ['stoppedAt'], { where: 'stopped_at IS NOT NULL' })
@Index('adk_invocations_line', ['turn', 'id'], { where: `status = 'queued' AND turn IS NOT NULL` })
@Index('adk_invocations_turns', ['appName', 'userId', 'turn'], {
  where: `status = 'queued' AND turn IS NOT NULL`,
})
@Index('adk_invocations_claims', ['claimId'], { where: `status = 'running' AND claim_id IS NOT NULL` })
export class InvocationEntity {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  readonly id!: string;

  @Column({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @Column({ type: 'text', name: 'user_id', collation: 'C' })
  readonly userId!: string;

  @Column({ type: 'text', name: 'session_id', collation: 'C' })
  readonly sessionId!: string;

  // Bound by the session's lock and a trigger of the database (ADR 22).
  @ManyToOne(() => SessionEntity, { createForeignKeyConstraints: false })
  @JoinColumn([
    { name: 'app_name', referencedColumnName: 'appName' },
    { name: 'user_id', referencedColumnName: 'userId' },
    { name: 'session_id', referencedColumnName: 'id' },
  ])
  readonly session?: SessionEntity;

  @Column({ type: 'bigint', name: 'queue_no' })
  readonly queueNo!: number;

  @Column({ type: 'text' })
  readonly status!: InvocationStatus;

  @Column({ type: 'text', nullable: true })
  readonly owner!: string | null;

  /** The session's epoch of the last claim. */
  @Column({ type: 'bigint', default: 0 })
  readonly epoch!: number;

  @Column({ type: 'text', name: 'claim_id', nullable: true })
  readonly claimId!: string | null;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  readonly leaseUntil!: Date | null;

  @Column({ type: 'integer', default: 1 })
  readonly attempt!: number;

  @Column({ type: 'timestamptz', name: 'cancel_requested_at', nullable: true })
  readonly cancelRequestedAt!: Date | null;

  /** The input it is at; the inputs above it came early. */
  @Column({ type: 'integer', default: 0 })
  readonly segment!: number;

  /** `{session, app, user}` as the segment began: where recovery starts. */
  @Column({ type: 'jsonb', name: 'base_state', nullable: true })
  readonly baseState!: Record<string, unknown> | null;

  @Column({ type: 'bigint', name: 'base_seq', nullable: true })
  readonly baseSeq!: number | null;

  /** Up to here the owner of the last claim is believed to have the session in its cache. */
  @Column({ type: 'bigint', name: 'from_seq', nullable: true })
  readonly fromSeq!: number | null;

  /** The number of the append unit that ended its last segment; the session's own count begins anew with each claim. */
  @Column({ type: 'bigint', name: 'last_no', nullable: true })
  readonly lastNo!: number | null;

  /** The epoch of that unit: by it the unit is known again, also when the invocation has gone on since. */
  @Column({ type: 'bigint', name: 'last_epoch', nullable: true })
  readonly lastEpoch!: number | null;

  /** Of the request that submitted its segment; whoever goes on with it goes on in that trace. */
  @Column({ type: 'text', nullable: true })
  readonly traceparent!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  readonly error!: Record<string, unknown> | null;

  @Column({ type: 'timestamptz', name: 'inserted_at', default: () => 'now()' })
  readonly insertedAt!: Date;

  /** When it was last queued, or a pointer to it was last sent. */
  @Column({ type: 'timestamptz', name: 'queued_at', default: () => 'now()' })
  readonly queuedAt!: Date;

  /** When it ended, or began to wait. */
  @Column({ type: 'timestamptz', name: 'stopped_at', nullable: true })
  readonly stoppedAt!: Date | null;

  /** Its place among those that wait for a runner; none while it need not wait, or waits for its session. */
  @Column({ type: 'bigint', nullable: true })
  readonly turn!: number | null;
}
