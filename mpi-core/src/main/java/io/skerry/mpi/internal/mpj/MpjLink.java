package io.skerry.mpi.internal.mpj;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntConsumer;

/**
 * Transfers packets with the blocking calls of MPJ Express. A separate thread receives packets
 * continuously, because a send in MPJ Express may block until the receiver has posted a receive.
 * The thread of the rank takes the received packets from a queue.
 */
final class MpjLink implements PacketLink {
  private static final int TAG = 1;

  private final MpjApi api;
  private final IntConsumer halt;
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private final Thread receiver;

  /**
   * Creates the link of this rank and starts receiving.
   *
   * @param api the calls of MPJ Express
   * @param halt the function that ends this process with an exit code when another rank ends the
   *     job
   */
  MpjLink(MpjApi api, IntConsumer halt) {
    this.api = api;
    this.halt = halt;
    // The receiving thread belongs to the thread group of the calling thread, because MPJ Express
    // identifies the rank by its thread group.
    this.receiver =
        Thread.ofPlatform()
            .group(Thread.currentThread().getThreadGroup())
            .daemon()
            .name("skerry-mpj-receiver-" + api.rank())
            .unstarted(this::receive);
    if (api.size() > 1) {
      receiver.start();
    }
  }

  // The last two packets come from the two neighbors, in either order.
  private void receive() {
    var packet = new byte[LONGEST];
    try {
      int last = 0;
      while (last < 2) {
        var status = api.receive(packet, TAG);
        var kind = kindOf(packet);
        if (kind == Packet.Kind.ABORT) {
          halt.accept(Packet.parse(packet).tag());
        }
        if (kind == Packet.Kind.STOP || kind == Packet.Kind.BYE) {
          last++;
        }
        if (kind != Packet.Kind.STOP) {
          var bytes = Arrays.copyOf(packet, api.count(status));
          arrivals.add(new Arrival(api.source(status), bytes, Optional.empty()));
        }
      }
    } catch (Throwable t) {
      arrivals.add(new Arrival(-1, new byte[0], Optional.of(t)));
    }
  }

  private static Packet.Kind kindOf(byte[] packet) {
    return Packet.Kind.values()[ByteBuffer.wrap(packet).getInt()];
  }

  /**
   * Waits until the receiving thread has ended or the calling thread is interrupted. The receiving
   * thread ends after the last packets from both neighbors.
   */
  void join() {
    while (receiver.isAlive()) {
      try {
        receiver.join();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public int rank() {
    return api.rank();
  }

  @Override
  public int size() {
    return api.size();
  }

  @Override
  public void send(int to, byte[] packet, int length) {
    if (to == rank()) {
      arrivals.add(new Arrival(to, Arrays.copyOf(packet, length), Optional.empty()));
      return;
    }
    try {
      api.send(packet, length, to, TAG);
    } catch (Throwable t) {
      throw new MpiException(
          "send",
          MpiErrorClass.OTHER,
          "MPJ Express cannot send to rank %d: %s".formatted(to, t),
          "world",
          rank(),
          t);
    }
  }

  @Override
  public Optional<Arrival> poll() {
    return Optional.ofNullable(arrivals.poll());
  }

  @Override
  public Arrival take() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return arrivals.take();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
