package io.skerry.testkit.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.OpenMode;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Conformance suite for the collective calls of a communicator. Compares the results with simple
 * models. Sizes and contents are random, from seeds that all ranks share.
 */
public final class CommunicatorConformance implements RankedCases {
  private static final int ROUNDS = 12;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase("ranks_are_numbered_from_0", CommunicatorConformance::ranks),
        new RankedCase("nobody_leaves_a_barrier_early", CommunicatorConformance::barrier),
        new RankedCase("a_broadcast_copies_the_roots_bytes", CommunicatorConformance::broadcast),
        new RankedCase("a_gather_puts_blocks_in_rank_order", CommunicatorConformance::gather),
        new RankedCase(
            "a_gather_of_sizes_that_differ_keeps_the_gaps",
            CommunicatorConformance::gatherVariable),
        new RankedCase("a_scatter_gives_each_rank_its_block", CommunicatorConformance::scatter),
        new RankedCase(
            "a_scatter_of_sizes_that_differ_gives_each_its_own",
            CommunicatorConformance::scatterVariable),
        new RankedCase("an_all_gather_gives_everybody_all", CommunicatorConformance::allGather),
        new RankedCase(
            "an_all_gather_of_sizes_that_differ_keeps_the_gaps",
            CommunicatorConformance::allGatherVariable),
        new RankedCase("an_all_to_all_transposes_blocks", CommunicatorConformance::allToAll),
        new RankedCase(
            "an_all_to_all_of_sizes_that_differ_transposes_blocks",
            world -> allToAllVariable(world, 300, ROUNDS)),
        new RankedCase(
            "an_all_to_all_of_megabytes_transposes_blocks",
            world -> allToAllVariable(world, 1_500_000, 2)),
        new RankedCase("calls_on_longs_agree_with_a_model", CommunicatorConformance::longs),
        new RankedCase(
            "a_broadcast_of_an_array_agrees_on_its_length", CommunicatorConformance::text),
        new RankedCase("buffers_are_the_callers_again_at_once", CommunicatorConformance::reuse),
        new RankedCase("a_split_orders_ranks_by_key", CommunicatorConformance::split),
        new RankedCase(
            "a_negative_color_on_one_rank_is_refused_on_all",
            CommunicatorConformance::negativeColor),
        new RankedCase("splits_and_duplicates_nest", CommunicatorConformance::nested),
        new RankedCase("sets_of_ranks_follow_splits", CommunicatorConformance::rankSets),
        new RankedCase("self_is_a_world_of_one", CommunicatorConformance::self),
        new RankedCase("arguments_out_of_range_are_refused", CommunicatorConformance::refusals),
        new RankedCase(
            "a_call_from_another_thread_is_refused_with_both_names",
            CommunicatorConformance::threads));
  }

  private static int[] sizes(int ranks, int bound, Random random) {
    return IntStream.range(0, ranks)
        .map(_ -> random.nextInt(4) == 0 ? 0 : random.nextInt(bound))
        .toArray();
  }

  private static void ranks(Communicator world) {
    Expect.equal(
        Arrays.toString(LongStream.range(0, world.size()).toArray()),
        Arrays.toString(world.allGather(world.rank())),
        "ranks");
    Expect.that(!world.name().isEmpty(), "a communicator has a name");
  }

  private static void barrier(Communicator world) throws Exception {
    try (var folder = SharedFolder.create(world);
        var file = world.openFile(folder.file("arrivals"), OpenMode.CREATE, Map.of())) {
      file.setSize(world.size());
      for (int round = 1; round <= 5; round++) {
        if (world.rank() == round % world.size()) {
          Thread.sleep(5);
        }
        file.writeAt(world.rank(), MemorySegment.ofArray(new byte[] {(byte) round}));
        world.barrier();
        var seen = MemorySegment.ofArray(new byte[world.size()]);
        file.readAt(0, seen);
        var all = new byte[world.size()];
        Arrays.fill(all, (byte) round);
        Expect.bytes(all, seen, "arrivals");
        world.barrier();
      }
    }
  }

  private static void broadcast(Communicator world) {
    for (int round = 0; round < ROUNDS; round++) {
      int root = round % world.size();
      int bytes = round == 3 ? 0 : new Random(round).nextInt(round == 5 ? 3_000_000 : 500);
      try (var buffers = new RankBuffers(round, world.rank())) {
        var content = buffers.content(root, 0, bytes);
        var buffer = world.rank() == root ? buffers.of(content) : buffers.filled(bytes);
        world.broadcast(world.rank() == root ? buffer.asReadOnly() : buffer, root);
        Expect.bytes(content, buffer, "broadcast from " + root);
      }
    }
  }

  private static void gather(Communicator world) {
    for (int round = 0; round < ROUNDS; round++) {
      int root = round % world.size();
      int bytes = round == 3 ? 0 : new Random(round).nextInt(400);
      try (var buffers = new RankBuffers(round, world.rank())) {
        var send = buffers.of(buffers.content(world.rank(), root, bytes));
        boolean isRoot = world.rank() == root;
        var receive = isRoot ? buffers.filled(bytes * world.size()) : MemorySegment.NULL;
        world.gather(send, receive, root);
        for (int from = 0; isRoot && from < world.size(); from++) {
          var block = receive.asSlice((long) from * bytes, bytes);
          Expect.bytes(buffers.content(from, root, bytes), block, "block of " + from);
        }
      }
    }
  }

  private static void gatherVariable(Communicator world) {
    for (int round = 0; round < ROUNDS; round++) {
      int root = round % world.size();
      var random = new Random(round);
      int[] sizes = sizes(world.size(), round == 5 ? 200_000 : 400, random);
      var layout = RandomLayout.of(sizes, random);
      try (var buffers = new RankBuffers(round, world.rank())) {
        var send = buffers.of(buffers.content(world.rank(), root, sizes[world.rank()]));
        if (world.rank() != root) {
          world.gatherVariable(send, MemorySegment.NULL, new long[0], new long[0], root);
          continue;
        }
        var receive = buffers.filled(layout.total());
        world.gatherVariable(send, receive, layout.counts(), layout.displacements(), root);
        var model = RankBuffers.filler(layout.total());
        for (int from = 0; from < world.size(); from++) {
          layout.put(buffers.content(from, root, sizes[from]), from, model);
        }
        Expect.bytes(model, receive, "gathered at " + root);
      }
    }
  }

  private static void scatter(Communicator world) {
    for (int round = 0; round < ROUNDS; round++) {
      int root = round % world.size();
      int bytes = round == 3 ? 0 : new Random(round).nextInt(400);
      try (var buffers = new RankBuffers(round, world.rank())) {
        var send = MemorySegment.NULL;
        if (world.rank() == root) {
          var model = new byte[bytes * world.size()];
          for (int to = 0; to < world.size(); to++) {
            System.arraycopy(buffers.content(root, to, bytes), 0, model, to * bytes, bytes);
          }
          send = buffers.of(model);
        }
        var receive = buffers.filled(bytes);
        world.scatter(send, receive, root);
        Expect.bytes(buffers.content(root, world.rank(), bytes), receive, "scattered");
      }
    }
  }

  private static void scatterVariable(Communicator world) {
    for (int round = 0; round < ROUNDS; round++) {
      int root = round % world.size();
      var random = new Random(round);
      int[] sizes = sizes(world.size(), round == 5 ? 200_000 : 400, random);
      var layout = RandomLayout.of(sizes, random);
      int own = sizes[world.rank()];
      try (var buffers = new RankBuffers(round, world.rank())) {
        var receive = buffers.filled(own);
        if (world.rank() == root) {
          var model = new byte[layout.total()];
          for (int to = 0; to < world.size(); to++) {
            layout.put(buffers.content(root, to, sizes[to]), to, model);
          }
          var send = buffers.of(model);
          world.scatterVariable(send, layout.counts(), layout.displacements(), receive, root);
        } else {
          world.scatterVariable(MemorySegment.NULL, new long[0], new long[0], receive, root);
        }
        Expect.bytes(buffers.content(root, world.rank(), own), receive, "scattered");
      }
    }
  }

  private static void allGather(Communicator world) {
    for (int round = 0; round < ROUNDS; round++) {
      int bytes = round == 3 ? 0 : new Random(round).nextInt(round == 5 ? 100_000 : 400);
      try (var buffers = new RankBuffers(round, world.rank())) {
        var receive = buffers.filled(bytes * world.size());
        world.allGather(buffers.of(buffers.content(world.rank(), 0, bytes)), receive);
        for (int from = 0; from < world.size(); from++) {
          var block = receive.asSlice((long) from * bytes, bytes);
          Expect.bytes(buffers.content(from, 0, bytes), block, "block of " + from);
        }
      }
    }
  }

  private static void allGatherVariable(Communicator world) {
    for (int round = 0; round < ROUNDS; round++) {
      int[] sizes = sizes(world.size(), round == 5 ? 100_000 : 400, new Random(round));
      // Each rank uses a different layout for the received blocks.
      var layout = RandomLayout.of(sizes, new Random(1000L * round + world.rank()));
      try (var buffers = new RankBuffers(round, world.rank())) {
        var send = buffers.of(buffers.content(world.rank(), 0, sizes[world.rank()]));
        var receive = buffers.filled(layout.total());
        world.allGatherVariable(send, receive, layout.counts(), layout.displacements());
        var model = RankBuffers.filler(layout.total());
        for (int from = 0; from < world.size(); from++) {
          layout.put(buffers.content(from, 0, sizes[from]), from, model);
        }
        Expect.bytes(model, receive, "gathered");
      }
    }
  }

  private static void allToAll(Communicator world) {
    int size = world.size();
    for (int round = 0; round < ROUNDS; round++) {
      int bytes = round == 3 ? 0 : new Random(round).nextInt(300);
      try (var buffers = new RankBuffers(round, world.rank())) {
        var model = new byte[bytes * size];
        for (int to = 0; to < size; to++) {
          System.arraycopy(buffers.content(world.rank(), to, bytes), 0, model, to * bytes, bytes);
        }
        var receive = buffers.filled(bytes * size);
        world.allToAll(buffers.of(model), receive);
        for (int from = 0; from < size; from++) {
          var block = receive.asSlice((long) from * bytes, bytes);
          Expect.bytes(buffers.content(from, world.rank(), bytes), block, "block of " + from);
        }
      }
    }
  }

  private static void allToAllVariable(Communicator world, int bound, int rounds) {
    int size = world.size();
    int rank = world.rank();
    for (int round = 0; round < rounds; round++) {
      var random = new Random(round);
      var sizes = new int[size][];
      for (int from = 0; from < size; from++) {
        sizes[from] = sizes(size, bound, random);
      }
      int[] incomingSizes = Arrays.stream(sizes).mapToInt(row -> row[rank]).toArray();
      var outgoing = RandomLayout.of(sizes[rank], new Random(77L * round + rank));
      var incoming = RandomLayout.of(incomingSizes, new Random(99L * round + rank));
      try (var buffers = new RankBuffers(round, rank)) {
        var sent = new byte[outgoing.total()];
        var expected = RankBuffers.filler(incoming.total());
        for (int peer = 0; peer < size; peer++) {
          outgoing.put(buffers.content(rank, peer, sizes[rank][peer]), peer, sent);
          incoming.put(buffers.content(peer, rank, incomingSizes[peer]), peer, expected);
        }
        var receive = buffers.filled(incoming.total());
        world.allToAllVariable(
            buffers.of(sent),
            outgoing.counts(),
            outgoing.displacements(),
            receive,
            incoming.counts(),
            incoming.displacements());
        Expect.bytes(expected, receive, "exchanged in round " + round);
      }
    }
  }

  private static void longs(Communicator world) {
    int size = world.size();
    int rank = world.rank();
    Expect.equal(size * (size - 1L) / 2, world.allReduce(rank, Reduction.SUM), "sum");
    Expect.equal(-(size - 1L), world.allReduce(-rank, Reduction.MIN), "min");
    Expect.equal((1L << size) - 1, world.allReduce(1L << rank, Reduction.BIT_OR), "or");
    Expect.equal(rank * (rank - 1L) / 2, world.exclusiveScan(rank, Reduction.SUM), "scan");
    Expect.equal(rank == 0 ? 0L : 4L + rank, world.exclusiveScan(5L + rank, Reduction.MAX), "max");
    var random = new Random(4);
    for (int round = 0; round < ROUNDS; round++) {
      int n = random.nextInt(50);
      long[][] all = new long[size][];
      for (int from = 0; from < size; from++) {
        all[from] = random.longs(n).toArray();
      }
      var sums = new long[n];
      var below = new long[n];
      for (int from = 0; from < size; from++) {
        for (int i = 0; i < n; i++) {
          sums[i] += all[from][i];
          below[i] += from < rank ? all[from][i] : 0;
        }
      }
      expectLongs(sums, world.allReduce(all[rank], Reduction.SUM));
      expectLongs(below, world.exclusiveScan(all[rank], Reduction.SUM));
    }
    long[] sent = LongStream.range(0, size).map(to -> 100L * rank + to).toArray();
    long[] expected = LongStream.range(0, size).map(from -> 100L * from + rank).toArray();
    expectLongs(expected, world.allToAll(sent));
  }

  private static void expectLongs(long[] expected, long[] actual) {
    Expect.equal(Arrays.toString(expected), Arrays.toString(actual), "longs");
  }

  private static void text(Communicator world) {
    for (int root = 0; root < world.size(); root++) {
      for (var text : List.of("", "a", "x".repeat(100_000))) {
        var own = world.rank() == root ? text : "something of another length";
        var heard = new String(world.broadcast(own.getBytes(UTF_8), root), UTF_8);
        Expect.equal(text, heard, "text");
      }
    }
  }

  private static void reuse(Communicator world) {
    var buffer = MemorySegment.ofArray(new byte[64]);
    for (int round = 0; round < 50; round++) {
      buffer.fill((byte) (world.rank() == 0 ? round : 99));
      world.broadcast(buffer, 0);
      var expected = new byte[64];
      Arrays.fill(expected, (byte) round);
      Expect.bytes(expected, buffer, "round " + round);
      buffer.fill((byte) -1);
    }
  }

  private static void split(Communicator world) {
    int size = world.size();
    int rank = world.rank();
    try (var half = world.split(rank % 2, size - rank)) {
      var members = IntStream.range(0, size).filter(r -> r % 2 == rank % 2).boxed().toList();
      var ordered = new ArrayList<>(members).reversed();
      Expect.equal(ordered.size(), half.size(), "size");
      Expect.equal(ordered.indexOf(rank), half.rank(), "rank");
      expectLongs(ordered.stream().mapToLong(Integer::longValue).toArray(), half.allGather(rank));
      Expect.equal(
          members.stream().mapToLong(Integer::longValue).sum(),
          half.allReduce(rank, Reduction.SUM),
          "sum of a half");
    }
    try (var same = world.split(3, 0)) {
      Expect.equal(rank, same.rank(), "equal keys keep the order");
    }
  }

  private static void nested(Communicator world) {
    var open = new ArrayList<Communicator>();
    Communicator current = world;
    for (int depth = 0; depth < 4; depth++) {
      open.add(depth % 2 == 0 ? current.duplicate() : current.split(current.rank() / 2, 0));
      current = open.getLast();
      long size = current.allReduce(1, Reduction.SUM);
      Expect.equal((long) current.size(), size, "size at depth " + depth);
    }
    Expect.equal((long) world.size(), world.allReduce(1, Reduction.SUM), "the world still works");
    for (var communicator : open.reversed()) {
      communicator.close();
      communicator.close();
      Expect.thrown(IllegalStateException.class, communicator::barrier, "a closed communicator");
    }
  }

  private static void rankSets(Communicator world) {
    int size = world.size();
    var all = world.rankSet();
    Expect.equal(size, all.size(), "size of the set");
    try (var twin = world.duplicate();
        var same = world.split(3, 0)) {
      for (var equal : List.of(twin.rankSet(), same.rankSet())) {
        Expect.equal(true, all.containsAll(equal), "the world contains a communicator of all");
        Expect.equal(true, equal.containsAll(all), "a communicator of all contains the world");
      }
    }
    try (var pair = world.split(world.rank() / 2, 0);
        var shifted = world.split((world.rank() + 1) % size / 2, 0);
        var again = pair.duplicate()) {
      var part = pair.rankSet();
      Expect.equal(true, all.containsAll(part), "the world contains a pair");
      Expect.equal(size == pair.size(), part.containsAll(all), "a pair contains the world");
      Expect.equal(true, part.containsAll(again.rankSet()), "a pair contains its duplicate");
      Expect.equal(
          size == pair.size() || shifted.size() == 1,
          part.containsAll(shifted.rankSet()),
          "a pair contains a pair of other ranks");
    }
  }

  private static void negativeColor(Communicator world) {
    int last = world.size() - 1;
    if (world.rank() == last) {
      refused(() -> world.split(-1, 0));
    } else {
      Expect.thrown(MpiException.class, () -> world.split(0, 0), "a color of another rank");
    }
    try (var all = world.split(0, 0)) {
      // The barrier also checks that the communicator has the same name on all ranks.
      all.barrier();
      Expect.equal((long) world.size(), all.allReduce(1, Reduction.SUM), "size");
    }
  }

  private static void self(Communicator world) {
    var self = Communicator.self();
    Expect.equal(1, self.size(), "size");
    Expect.equal(0, self.rank(), "rank");
    Expect.equal(7L, self.allReduce(7, Reduction.SUM), "sum");
    Expect.equal(0L, self.exclusiveScan(7, Reduction.SUM), "scan");
    self.close();
    self.barrier();
    try (var twin = self.duplicate()) {
      expectLongs(new long[] {world.rank()}, twin.allToAll(new long[] {world.rank()}));
    }
  }

  private static void refusals(Communicator world) {
    var eight = MemorySegment.ofArray(new byte[8]);
    var long8 = new long[world.size()];
    refused(() -> world.broadcast(eight, world.size()));
    refused(() -> world.broadcast(eight, -1));
    refused(() -> world.send(eight, world.size(), 0));
    refused(() -> world.send(eight, 0, Communicator.MAX_TAG + 1));
    refused(() -> world.receive(eight, -2, 0));
    refused(() -> world.split(-1, 0));
    refused(() -> world.allReduce(eight, eight, ElementKind.I64, Reduction.SUM));
    refused(() -> world.allGather(eight, MemorySegment.ofArray(new byte[3])));
    refused(() -> world.allToAll(new long[world.size() + 1]));
    var outside = long8.clone();
    outside[0] = 9;
    refused(() -> world.allToAllVariable(eight, outside, long8, eight, long8, long8));
    var negative = long8.clone();
    negative[0] = -1;
    refused(() -> world.allToAllVariable(eight, negative, long8, eight, long8, long8));
    world.barrier();
  }

  private static void refused(Expect.Action action) {
    Expect.thrown(IllegalArgumentException.class, action, "refusal");
  }

  private static void threads(Communicator world) throws Exception {
    var thrown = new ArrayList<Throwable>();
    var thread =
        Thread.ofPlatform()
            .name("an-intruder")
            .start(() -> {
              try {
                if (world.size() > 1) {
                  world.barrier();
                } else {
                  world.send(MemorySegment.NULL, 0, 0);
                }
              } catch (Throwable t) {
                thrown.add(t);
              }
            });
    thread.join();
    var error =
        Expect.thrown(
            IllegalStateException.class,
            () -> {
              if (thrown.getFirst() instanceof RuntimeException e) {
                throw e;
              }
            },
            "another thread's call");
    var text = String.valueOf(error.getMessage());
    Expect.that(text.contains("an-intruder"), text);
    Expect.that(text.contains(Thread.currentThread().getName()), text);
    world.barrier();
  }
}
