package io.skerry.integration.scale;

import io.skerry.iod.shipper.wire.Frame;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.iod.shipper.wire.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the messages of one I/O rank, using the frames that the function shipper would send.
 * Thread-safe.
 */
final class IoRankLoad {
  /**
   * The maximum size, in bytes, of a value that is sent within its message; the same as in the
   * function shipper.
   */
  static final int INLINE = 32 << 10;

  private final AtomicLong messagesReceived = new AtomicLong();
  private final AtomicLong bytesReceived = new AtomicLong();
  private final AtomicLong messagesSent = new AtomicLong();
  private final AtomicLong bytesSent = new AtomicLong();

  /** Returns the traffic of a message with its payload: one message, or two if it is bulk data. */
  static Traffic of(Message message, MemorySegment payload) {
    MemorySegment frame =
        Frame.encode(
            message,
            payload,
            INLINE,
            Transfer.UNCHECKED,
            (bytes, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]));
    return payload.byteSize() > INLINE
        ? new Traffic(2, frame.byteSize() + payload.byteSize())
        : new Traffic(1, frame.byteSize());
  }

  void received(Traffic traffic) {
    messagesReceived.addAndGet(traffic.messages());
    bytesReceived.addAndGet(traffic.bytes());
  }

  void sent(Traffic traffic) {
    messagesSent.addAndGet(traffic.messages());
    bytesSent.addAndGet(traffic.bytes());
  }

  Traffic received() {
    return new Traffic(messagesReceived.get(), bytesReceived.get());
  }

  Traffic sent() {
    return new Traffic(messagesSent.get(), bytesSent.get());
  }
}
