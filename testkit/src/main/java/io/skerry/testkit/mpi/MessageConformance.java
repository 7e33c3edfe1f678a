package io.skerry.testkit.mpi;

import static io.skerry.mpi.Communicator.ANY_SOURCE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Conformance suite for messages from one rank to another or to itself. */
public final class MessageConformance implements RankedCases {
  private static final int TAG = 11;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase(
            "a_communicator_closes_after_a_long_wait_for_a_rank", MessageConformance::longWait),
        new RankedCase("messages_go_round_a_ring", MessageConformance::ring),
        new RankedCase("a_rank_can_write_to_itself", MessageConformance::toItself),
        new RankedCase("messages_of_one_rank_and_tag_keep_their_order", MessageConformance::order),
        new RankedCase("tags_keep_messages_apart", MessageConformance::tags),
        new RankedCase("any_source_hears_everybody_once", MessageConformance::anySource),
        new RankedCase("many_requests_finish_in_any_order", MessageConformance::many),
        new RankedCase("polling_a_request_ends_in_done", MessageConformance::polling),
        new RankedCase("a_message_may_be_shorter_than_its_buffer", MessageConformance::shorter),
        new RankedCase("a_message_longer_than_its_buffer_is_an_error", MessageConformance::longer),
        new RankedCase("a_duplicate_has_messages_of_its_own", MessageConformance::duplicate),
        new RankedCase("messages_do_not_mix_with_collectives", MessageConformance::mixed),
        new RankedCase(
            "a_rank_that_waits_in_a_barrier_runs_its_actions", MessageConformance::actions));
  }

  private static int right(Communicator world) {
    return (world.rank() + 1) % world.size();
  }

  private static int left(Communicator world) {
    return Math.floorMod(world.rank() - 1, world.size());
  }

  private static void ring(Communicator world) {
    for (int bytes : new int[] {0, 1, 1000, 3_000_000}) {
      try (var buffers = new RankBuffers(bytes, world.rank())) {
        var receive = buffers.filled(bytes);
        var request = world.receiveLater(receive, left(world), TAG);
        world.send(buffers.of(buffers.content(world.rank(), 0, bytes)), right(world), TAG);
        Expect.equal(new Received(left(world), TAG, bytes), request.await(), "received");
        Expect.equal(new Received(left(world), TAG, bytes), request.await(), "awaited twice");
        Expect.that(request.done(), "a request awaited is done");
        Expect.bytes(buffers.content(left(world), 0, bytes), receive, "message");
        var sent = world.sendLater(buffers.of(new byte[bytes]), right(world), TAG);
        Expect.equal(
            new Received(left(world), TAG, bytes),
            world.receive(receive, left(world), TAG),
            "received");
        Expect.equal(new Received(world.rank(), TAG, bytes), sent.await(), "sent");
        Expect.bytes(new byte[bytes], receive, "message");
      }
    }
  }

  /** Rank 0 answers the other ranks while it waits for them in barriers. */
  private static void actions(Communicator world) {
    var buffer = MemorySegment.ofArray(new byte[1]);
    try (var order = world.callOrder()) {
      if (world.rank() > 0) {
        for (int round = 0; round < 3; round++) {
          world.send(MemorySegment.ofArray(new byte[] {(byte) round}), 0, TAG);
          world.receive(buffer, 0, TAG);
          Expect.bytes(new byte[] {(byte) (round + 1)}, buffer, "answer");
          world.barrier();
        }
        return;
      }
      var answered = new AtomicInteger();
      Request[] posted = {world.receiveLater(buffer, ANY_SOURCE, TAG)};
      int expected = 3 * (world.size() - 1);
      BooleanSupplier action =
          () -> {
            if (answered.get() == expected || !posted[0].done()) {
              return false;
            }
            int source = posted[0].await().source();
            byte[] answer = {(byte) (buffer.get(JAVA_BYTE, 0) + 1)};
            world.send(MemorySegment.ofArray(answer), source, TAG);
            if (answered.incrementAndGet() < expected) {
              posted[0] = world.receiveLater(buffer, ANY_SOURCE, TAG);
            }
            return true;
          };
      if (expected == 0) {
        world.send(MemorySegment.ofArray(new byte[1]), 0, TAG);
        posted[0].await();
      }
      order.addWaitingAction(action);
      for (int round = 0; round < 3; round++) {
        world.barrier();
      }
      order.removeWaitingAction(action);
      Expect.equal(expected, answered.get(), "answers");
      Expect.that(!order.runWaitingActions(), "no action is left");
    }
  }

  private static void toItself(Communicator world) {
    var sent = world.sendLater(MemorySegment.ofArray(new byte[] {7}), world.rank(), TAG);
    var receive = MemorySegment.ofArray(new byte[1]);
    Expect.equal(
        new Received(world.rank(), TAG, 1), world.receive(receive, world.rank(), TAG), "received");
    sent.await();
    Expect.bytes(new byte[] {7}, receive, "message");
  }

  private static void order(Communicator world) {
    int count = 40;
    var requests = new ArrayList<Request>();
    for (int i = 0; i < count; i++) {
      requests.add(world.sendLater(number(i), right(world), TAG));
    }
    for (int i = 0; i < count; i++) {
      var receive = MemorySegment.ofArray(new byte[1]);
      world.receive(receive, i % 2 == 0 ? left(world) : Communicator.ANY_SOURCE, TAG);
      Expect.bytes(new byte[] {(byte) i}, receive, "message " + i);
    }
    Request.awaitAll(requests);
  }

  private static MemorySegment number(int i) {
    return MemorySegment.ofArray(new byte[] {(byte) i});
  }

  private static void tags(Communicator world) {
    var requests = new ArrayList<Request>();
    for (int tag : new int[] {1, 2, 3, Communicator.MAX_TAG}) {
      requests.add(world.sendLater(number(tag), right(world), tag));
    }
    for (int tag : new int[] {3, Communicator.MAX_TAG, 1, 2}) {
      var receive = MemorySegment.ofArray(new byte[1]);
      Expect.equal(tag, world.receive(receive, left(world), tag).tag(), "tag");
      Expect.bytes(new byte[] {(byte) tag}, receive, "message of tag " + tag);
    }
    Request.awaitAll(requests);
  }

  private static void anySource(Communicator world) {
    for (int root = 0; root < world.size(); root++) {
      if (world.rank() != root) {
        world.send(number(world.rank() + 1), root, TAG);
        continue;
      }
      var seen = new boolean[world.size()];
      for (int i = 1; i < world.size(); i++) {
        var receive = MemorySegment.ofArray(new byte[8]);
        var received = world.receive(receive, Communicator.ANY_SOURCE, TAG);
        Expect.that(!seen[received.source()], "heard twice: " + received.source());
        seen[received.source()] = true;
        Expect.equal(1L, received.bytes(), "bytes");
        Expect.bytes(new byte[] {(byte) (received.source() + 1)}, receive.asSlice(0, 1), "message");
      }
    }
  }

  private static void many(Communicator world) {
    var random = new Random(5);
    int size = world.size();
    var lengths = new int[size][size];
    for (var row : lengths) {
      for (int to = 0; to < size; to++) {
        row[to] = random.nextInt(20_000);
      }
    }
    int rank = world.rank();
    try (var buffers = new RankBuffers(5, rank)) {
      var requests = new ArrayList<Request>();
      var receives = new ArrayList<MemorySegment>();
      for (int peer = 0; peer < size; peer++) {
        receives.add(buffers.filled(lengths[peer][rank]));
        requests.add(world.receiveLater(receives.get(peer), peer, TAG));
      }
      for (int peer = size - 1; peer >= 0; peer--) {
        var content = buffers.content(rank, peer, lengths[rank][peer]);
        requests.add(world.sendLater(buffers.of(content), peer, TAG));
      }
      var received = Request.awaitAll(requests.reversed()).reversed();
      for (int peer = 0; peer < size; peer++) {
        var expected = new Received(peer, TAG, lengths[peer][rank]);
        Expect.equal(expected, received.get(peer), "received");
        var content = buffers.content(peer, rank, lengths[peer][rank]);
        Expect.bytes(content, receives.get(peer), "message of " + peer);
      }
    }
  }

  private static void polling(Communicator world) {
    var receive = MemorySegment.ofArray(new byte[1]);
    var request = world.receiveLater(receive, left(world), TAG);
    var sent = world.sendLater(number(42), right(world), TAG);
    boolean received;
    boolean delivered;
    do {
      Thread.onSpinWait();
      received = request.done();
      delivered = sent.done();
    } while (!received || !delivered);
    Expect.equal(new Received(left(world), TAG, 1), request.await(), "received");
    Expect.bytes(new byte[] {42}, receive, "message");
  }

  private static void shorter(Communicator world) {
    try (var buffers = new RankBuffers(1, world.rank())) {
      var receive = buffers.filled(100);
      var sent = world.sendLater(number(9), right(world), TAG);
      Expect.equal(1L, world.receive(receive, left(world), TAG).bytes(), "bytes");
      sent.await();
      var model = RankBuffers.filler(100);
      model[0] = 9;
      Expect.bytes(model, receive, "what lies behind the message stays");
    }
  }

  private static void longer(Communicator world) {
    var sent = world.sendLater(MemorySegment.ofArray(new byte[10]), right(world), TAG);
    var error =
        Expect.thrown(
            MpiException.class,
            () -> world.receive(MemorySegment.ofArray(new byte[4]), left(world), TAG),
            "a message too long");
    Expect.equal(MpiErrorClass.TRUNCATED, error.errorClass(), "class");
    Expect.equal(world.rank(), error.rank(), "rank");
    sent.await();
  }

  private static void duplicate(Communicator world) {
    try (var twin = world.duplicate()) {
      var inWorld = world.sendLater(number(1), right(world), TAG);
      var inTwin = twin.sendLater(number(2), right(world), TAG);
      var receive = MemorySegment.ofArray(new byte[1]);
      twin.receive(receive, Communicator.ANY_SOURCE, TAG);
      Expect.bytes(new byte[] {2}, receive, "message in the duplicate");
      world.receive(receive, Communicator.ANY_SOURCE, TAG);
      Expect.bytes(new byte[] {1}, receive, "message in the original");
      Request.awaitAll(List.of(inWorld, inTwin));
    }
  }

  private static void mixed(Communicator world) {
    var receive = MemorySegment.ofArray(new byte[1]);
    var sent = world.sendLater(number(3), right(world), Communicator.MAX_TAG);
    int size = world.size();
    for (int round = 0; round < 5; round++) {
      var counts = new long[size];
      var displacements = new long[size];
      for (int i = 0; i < size; i++) {
        counts[i] = 1;
        displacements[i] = i;
      }
      var exchanged = MemorySegment.ofArray(new byte[size]);
      world.allToAllVariable(
          MemorySegment.ofArray(new byte[size]).fill((byte) world.rank()),
          counts,
          displacements,
          exchanged,
          counts,
          displacements);
      var ranks = new byte[size];
      for (int i = 0; i < size; i++) {
        ranks[i] = (byte) i;
      }
      Expect.bytes(ranks, exchanged, "exchange");
    }
    world.receive(receive, Communicator.ANY_SOURCE, Communicator.MAX_TAG);
    Expect.bytes(new byte[] {3}, receive, "message");
    sent.await();
  }

  /**
   * Makes the ranks wait for rank 0 for more than a second. Waiting ranks then post receives for
   * inquiries that may never be sent; the communicator must close nevertheless.
   */
  private static void longWait(Communicator world) throws InterruptedException {
    var twin = world.duplicate();
    if (twin.rank() == 0) {
      Thread.sleep(1200);
    }
    twin.barrier();
    twin.close();
    world.barrier();
  }
}
