export { connectNats, type ConnectNats } from './connection/connect-nats';
export { connectService, type ConnectService } from './connection/connect-service';
export { MessagingConnection } from './connection/messaging-connection';
export { MessagingMetrics } from './connection/messaging-metrics';
export { LaneClient } from './lanes/lane-client';
export { LaneServer } from './lanes/lane-server';
export { JetStreamServer, type NestWorkQueue } from './nest/jetstream-server';
export { PassErrorFilter } from './nest/pass-error.filter';
export { LocalPayloadStore } from './payload/local-payload-store';
export { PayloadStore } from './payload/payload-store';
export {
  publishCore,
  publishInline,
  subscribeCore,
  subscribeTogether,
  type TogetherSubscription,
  type CoreSubscription,
} from './publish/core';
export { Paced } from './publish/paced';
export { publishInOrder, type OrderedMessage } from './publish/publish-in-order';
export { publishWork, type Published, type PublishWork } from './publish/publish-work';
export { WorkBody } from './publish/work-body';
export { ReadServer } from './reads/read-server';
export { ReadSockets } from './reads/read-sockets';
export { mayHaveArrived, RpcClient, type RequestOptions } from './rpc/rpc-client';
export { serveRpc, type RpcHandler, type RpcServer } from './rpc/serve-rpc';
export { Slots } from './rpc/slots';
export { forgetPast } from './streams/forget-past';
export { countAdvisories, type QueueLag, readQueueLags } from './streams/read-queue-lag';
export { dropGivenUp, readGivenUp } from './streams/given-up-message';
export { countLying, walkStream } from './streams/walk-stream';
export { readStreamBirths } from './streams/read-stream-births';
export { parseNatsServers } from './connection/nats-servers';
export { provisionStreams } from './streams/provision-streams';
export { currentTraceparent, linksTo, withinStep, withTraceparent } from './trace/trace-carrier';
export { askForConsumer } from './work/ask-for-consumer';
export { consumeWork, type ConsumeWork, type Delivery, type WorkConsumer } from './work/consume-work';
export { ensureConsumer, type WorkQueue } from './work/ensure-consumer';
