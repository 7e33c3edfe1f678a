package io.skerry.testkit.mpi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.OpenMode;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Conformance suite for transfers of more than 2 GiB, whose sizes exceed the {@code int} counts of
 * MPI. The suite needs about 6 GiB of memory per rank and 5 GiB of disk space, so it runs only on
 * request.
 *
 * <p>Transfers consist of numbered 64-bit words, all of which are checked.
 */
public final class LargeTransferConformance implements RankedCases {
  /**
   * The number of bytes of a transfer: a little more than 2.5 GiB, not divisible by a power of two
   * above 8.
   */
  private static final long BYTES = (5L << 29) + 8 * 12_345;

  private static final int TAG = 3;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase("a_broadcast_beyond_2_gib", LargeTransferConformance::broadcast),
        new RankedCase("a_message_beyond_2_gib", LargeTransferConformance::message),
        new RankedCase("an_all_to_all_beyond_2_gib", LargeTransferConformance::exchange),
        new RankedCase("an_all_gather_beyond_2_gib", LargeTransferConformance::gatherAll),
        new RankedCase("an_all_gather_with_far_places", LargeTransferConformance::farPlaces),
        new RankedCase("an_all_reduce_beyond_2_gib", LargeTransferConformance::reduce),
        new RankedCase("a_file_view_beyond_2_gib", LargeTransferConformance::file));
  }

  private static MemorySegment numbered(MemorySegment segment, long first) {
    for (long i = 0; i < segment.byteSize() / 8; i++) {
      segment.setAtIndex(JAVA_LONG, i, first + i);
    }
    return segment;
  }

  private static void expectNumbered(MemorySegment segment, long first) {
    for (long i = 0; i < segment.byteSize() / 8; i++) {
      long actual = segment.getAtIndex(JAVA_LONG, i);
      if (actual != first + i) {
        throw new AssertionError("word %d: expected=%d actual=%d".formatted(i, first + i, actual));
      }
    }
  }

  private static void broadcast(Communicator world) {
    try (var arena = Arena.ofConfined()) {
      var buffer = arena.allocate(BYTES, 8);
      if (world.rank() == 0) {
        numbered(buffer, 7);
      }
      world.broadcast(buffer, 0);
      expectNumbered(buffer, 7);
    }
  }

  private static void message(Communicator world) {
    if (world.rank() > 1) {
      return;
    }
    int peer = Math.min(world.size() - 1, 1 - world.rank());
    try (var arena = Arena.ofConfined()) {
      if (world.rank() == 0) {
        var sent = world.sendLater(numbered(arena.allocate(BYTES, 8), 1), peer, TAG);
        if (world.size() > 1) {
          sent.await();
          return;
        }
        // The only rank sends to itself, so it needs both buffers.
        var buffer = arena.allocate(BYTES + 8, 8);
        Expect.equal(new Received(0, TAG, BYTES), world.receive(buffer, 0, TAG), "received");
        sent.await();
        expectNumbered(buffer.asSlice(0, BYTES), 1);
        return;
      }
      var buffer = arena.allocate(BYTES + 8, 8);
      Expect.equal(new Received(peer, TAG, BYTES), world.receive(buffer, peer, TAG), "received");
      expectNumbered(buffer.asSlice(0, BYTES), 1);
    }
  }

  private static void exchange(Communicator world) {
    int last = world.size() - 1;
    var none = new long[world.size()];
    var sendCounts = none.clone();
    var receiveCounts = none.clone();
    if (world.rank() == 0) {
      sendCounts[last] = BYTES;
    }
    if (world.rank() == last) {
      receiveCounts[0] = BYTES;
    }
    try (var arena = Arena.ofConfined()) {
      var send = arena.allocate(sendCounts[last], 8);
      var receive = arena.allocate(receiveCounts[0], 8);
      numbered(send, 100);
      world.allToAllVariable(send, sendCounts, none, receive, receiveCounts, none);
      expectNumbered(receive, 100);
    }
  }

  private static void gatherAll(Communicator world) {
    long block = BYTES / world.size() / 8 * 8;
    var counts = new long[world.size()];
    Arrays.fill(counts, block);
    var displacements = new long[world.size()];
    Arrays.setAll(displacements, i -> i * block);
    try (var arena = Arena.ofConfined()) {
      var receive = arena.allocate(block * world.size(), 8);
      var send = numbered(arena.allocate(block, 8), world.rank() * (block / 8));
      world.allGatherVariable(send, receive, counts, displacements);
      expectNumbered(receive, 0);
    }
  }

  private static void farPlaces(Communicator world) {
    var counts = new long[world.size()];
    Arrays.fill(counts, 80);
    var displacements = new long[world.size()];
    Arrays.setAll(displacements, i -> i * 80L + (i == world.size() - 1 ? BYTES : 0));
    try (var arena = Arena.ofConfined()) {
      var receive = arena.allocate(BYTES + 80L * world.size(), 8);
      var send = numbered(arena.allocate(80, 8), world.rank());
      world.allGatherVariable(send, receive, counts, displacements);
      for (int from = 0; from < world.size(); from++) {
        expectNumbered(receive.asSlice(displacements[from], 80), from);
      }
    }
  }

  private static void reduce(Communicator world) {
    try (var arena = Arena.ofConfined()) {
      var send = numbered(arena.allocate(BYTES, 8), 3 - world.rank());
      var receive = arena.allocate(BYTES, 8);
      world.allReduce(send, receive, ElementKind.I64, Reduction.MAX);
      expectNumbered(receive, 3);
    }
  }

  private static void file(Communicator world) throws IOException {
    // Rank 0 has all bytes, in three blocks, and the other ranks have none, so the number of rounds
    // differs between the ranks.
    var view =
        FileView.of(
            new long[] {16, BYTES, BYTES + (1L << 31)},
            new long[] {800, 1L << 31, BYTES - (1L << 31) - 800});
    boolean writer = world.rank() == 0;
    try (var folder = SharedFolder.create(world);
        var file = world.openFile(folder.file("large"), OpenMode.CREATE, Map.of());
        var arena = Arena.ofConfined()) {
      var data = arena.allocate(writer ? BYTES : 0, 8);
      numbered(data, 5);
      file.writeAtAll(writer ? view : FileView.EMPTY, data);
      file.sync();
      data.fill((byte) 0);
      file.readAtAll(writer ? view : FileView.EMPTY, data);
      expectNumbered(data, 5);
      var piece = arena.allocate(8, 8);
      file.readAt(BYTES, piece);
      expectNumbered(piece, 105);
      world.barrier();
    }
  }
}
