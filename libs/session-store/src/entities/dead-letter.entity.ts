import { Check, Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { ToolCallEntity } from './tool-call.entity';

type Json = Record<string, unknown>;

/** `adk_dead_letters`: a call the plane ended, why, and what was done about it since. It goes with its session. */
@Entity('adk_dead_letters')
@Check('adk_dead_letters_status', `status IN ('open', 'redriven', 'discarded')`)
@Index('adk_dead_letters_app', ['appName', 'diedAt', 'dispatchId'])
@Index('adk_dead_letters_app_status', ['appName', 'status', 'diedAt', 'dispatchId'])
@Index('adk_dead_letters_pool', ['pool'], { where: `status = 'open'` })
@Index('adk_dead_letters_died_at', ['diedAt'])
@Index('adk_dead_letters_redriven_at', ['redrivenAt'], { where: `status = 'redriven' AND result IS NULL` })
export class DeadLetterEntity {
  @PrimaryColumn({ type: 'text', name: 'dispatch_id', collation: 'C' })
  readonly dispatchId!: string;

  @OneToOne(() => ToolCallEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'dispatch_id', foreignKeyConstraintName: 'adk_dead_letters_dispatch_id_fkey' })
  readonly call?: ToolCallEntity;

  @Column({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @Column({ type: 'text', name: 'user_id', collation: 'C' })
  readonly userId!: string;

  @Column({ type: 'text', name: 'session_id', collation: 'C' })
  readonly sessionId!: string;

  @Column({ type: 'text', name: 'invocation_id', collation: 'C' })
  readonly invocationId!: string;

  @Column({ type: 'text' })
  readonly tool!: string;

  @Column({ type: 'text' })
  readonly pool!: string;

  /** The number of its last attempt, begun or not; that of a redrive is the next one. */
  @Column({ type: 'integer' })
  readonly attempts!: number;

  @Column({ type: 'text' })
  readonly code!: string;

  @Column({ type: 'text' })
  readonly message!: string;

  /** What the tool was given beside its arguments: what the user said, and the state unless that was too large to keep. */
  @Column({ type: 'jsonb' })
  readonly context!: Json;

  /** When it died last. */
  @Column({ type: 'timestamptz', name: 'died_at' })
  readonly diedAt!: Date;

  @Column({ type: 'text', default: 'open' })
  readonly status!: string;

  /** Of a redrive: the result message. The conversation has the error, and keeps it. */
  @Column({ type: 'jsonb', nullable: true })
  readonly result!: Json | null;

  @Column({ type: 'timestamptz', name: 'redriven_at', nullable: true })
  readonly redrivenAt!: Date | null;

  /** When the stream had the message of the redrive; until then it may be unsent. */
  @Column({ type: 'timestamptz', name: 'confirmed_at', nullable: true })
  readonly confirmedAt!: Date | null;

  /** Of a redrive: when it is given up. */
  @Column({ type: 'timestamptz', nullable: true })
  readonly deadline!: Date | null;

  /** Of a redrive of a call that may run once: the message whose worker said that it begins. */
  @Column({ type: 'text', name: 'begun_message', nullable: true })
  readonly begunMessage!: string | null;

  /** The one handling of that message that may run it. */
  @Column({ type: 'uuid', name: 'begun_by', nullable: true })
  readonly begunBy!: string | null;

  /** How often workers gave it back unrun, as a redrive. */
  @Column({ type: 'integer', default: 0 })
  readonly returned!: number;

  /** How often it was begun, redrives included, as far as is known; of a letter of the version before, not known. */
  @Column({ type: 'integer', nullable: true })
  readonly started!: number | null;
}
