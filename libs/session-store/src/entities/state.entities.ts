import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `adk_app_states`: what every session of an app shares, keys without their `app:`. */
@Entity('adk_app_states')
export class AppStateEntity {
  @PrimaryColumn({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @Column({ type: 'jsonb', default: {} })
  readonly state!: Record<string, unknown>;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  readonly updatedAt!: Date;

  @Column({ type: 'bigint', default: 1 })
  readonly version!: number;
}

/** `adk_user_states`: what every session of one user of an app shares, keys without their `user:`. */
@Entity('adk_user_states')
export class UserStateEntity {
  @PrimaryColumn({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @PrimaryColumn({ type: 'text', name: 'user_id', collation: 'C' })
  readonly userId!: string;

  @Column({ type: 'jsonb', default: {} })
  readonly state!: Record<string, unknown>;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  readonly updatedAt!: Date;

  @Column({ type: 'bigint', default: 1 })
  readonly version!: number;
}
