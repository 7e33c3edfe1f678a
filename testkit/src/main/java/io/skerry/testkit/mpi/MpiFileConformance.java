package io.skerry.testkit.mpi;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Conformance suite for reading and writing files that ranks open together. The content is compared
 * byte by byte.
 */
public final class MpiFileConformance implements RankedCases {

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase(
            "interleaved_random_views_write_and_read_every_byte", MpiFileConformance::interleaved),
        new RankedCase("a_view_of_many_small_blocks_works", MpiFileConformance::manyBlocks),
        new RankedCase("offsets_beyond_4_gib_work", MpiFileConformance::farOffsets),
        new RankedCase("ranks_may_come_with_empty_hands", MpiFileConformance::emptyHands),
        new RankedCase("views_for_reading_may_overlap", MpiFileConformance::overlappingReads),
        new RankedCase("set_size_cuts_and_extends_with_zeros", MpiFileConformance::sizes),
        new RankedCase("setting_the_size_spares_written_bytes", MpiFileConformance::sizeAfterWrite),
        new RankedCase("independent_calls_see_synced_bytes", MpiFileConformance::independent),
        new RankedCase(
            "independent_calls_may_come_from_any_thread_collective_ones_not",
            MpiFileConformance::threads),
        new RankedCase(
            "a_file_of_one_rank_alone_takes_collective_calls_of_any_thread",
            MpiFileConformance::threadsOfOne),
        new RankedCase("a_short_read_tells_offset_and_bytes", MpiFileConformance::shortRead),
        new RankedCase(
            "a_collective_read_beyond_the_end_fails_on_its_rank_only",
            MpiFileConformance::shortCollectiveRead));
  }

  static MpiFile create(Communicator world, SharedFolder folder) {
    return world.openFile(folder.file("data"), OpenMode.CREATE, Map.of());
  }

  static MemorySegment segment(int... bytes) {
    var array = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      array[i] = (byte) bytes[i];
    }
    return MemorySegment.ofArray(array);
  }

  /** The blocks that each rank writes in a round; the plan is the same on every rank. */
  private record Plan(byte[] model, List<FileView.Builder> views) {
    static Plan of(Random random, int size, int bytes) {
      var model = new byte[bytes];
      var views = new ArrayList<FileView.Builder>();
      for (int rank = 0; rank < size; rank++) {
        views.add(FileView.builder());
      }
      int idle = random.nextInt(2 * size);
      int longest = 1 << random.nextInt(12);
      int at = 0;
      while (at < bytes) {
        int length = Math.min(bytes - at, random.nextInt(longest) + 1);
        int writer = random.nextInt(size + 1);
        if (writer < size && writer != idle) {
          views.get(writer).add(at, length);
          var block = new byte[length];
          random.nextBytes(block);
          System.arraycopy(block, 0, model, at, length);
        }
        at += length;
      }
      return new Plan(model, views);
    }

    byte[] packed(FileView view) {
      var packed = new byte[(int) view.totalBytes()];
      int at = 0;
      for (int i = 0; i < view.blocks(); i++) {
        System.arraycopy(model, (int) view.offset(i), packed, at, (int) view.length(i));
        at += (int) view.length(i);
      }
      return packed;
    }
  }

  private static void interleaved(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder)) {
      for (int round = 0; round < 16; round++) {
        int bytes = 1 + new Random(round).nextInt(60_000);
        var plan = Plan.of(new Random(round), world.size(), bytes);
        var reader = plan.views().get((world.rank() + round) % world.size()).build();
        try (var buffers = new RankBuffers(round, world.rank())) {
          file.setSize(0);
          file.setSize(bytes);
          var view = plan.views().get(world.rank()).build();
          file.writeAtAll(view, buffers.of(plan.packed(view)));
          file.sync();
          var back = buffers.filled((int) reader.totalBytes());
          file.readAtAll(reader, back);
          Expect.bytes(plan.packed(reader), back, "read in round " + round);
          if (world.rank() == round % world.size()) {
            var whole = buffers.filled(bytes);
            file.readAt(0, whole);
            Expect.bytes(plan.model(), whole, "the file in round " + round);
          }
          world.barrier();
        }
      }
    }
  }

  private static void manyBlocks(Communicator world) throws IOException {
    int blocks = 10_000;
    int size = world.size();
    var builder = FileView.builder();
    for (int i = 0; i < blocks; i++) {
      builder.add(4L * ((long) i * (size + 1) + world.rank()), 4);
    }
    var view = builder.build();
    Expect.equal(blocks, view.blocks(), "blocks");
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder);
        var buffers = new RankBuffers(8, world.rank())) {
      file.writeAtAll(view, buffers.of(buffers.content(world.rank(), 0, 4 * blocks)));
      file.sync();
      var back = buffers.filled(4 * blocks);
      file.readAtAll(view, back);
      Expect.bytes(buffers.content(world.rank(), 0, 4 * blocks), back, "blocks");
      var piece = segment(0, 0, 0, 0);
      for (int i = 0; i < blocks; i += 477) {
        file.readAt(view.offset(i), piece);
        var expected = buffers.content(world.rank(), 0, 4 * blocks);
        Expect.bytes(Arrays.copyOfRange(expected, 4 * i, 4 * i + 4), piece, "block " + i);
      }
      world.barrier();
    }
  }

  private static void farOffsets(Communicator world) throws IOException {
    long far = (5L << 30) + 3;
    var builder = FileView.builder().add(world.rank() * 10L, 5);
    for (int i = 0; i < 4; i++) {
      builder.add(far + (i * (long) world.size() + world.rank()) * 1000, 100);
    }
    var view = builder.add((9L << 30) + world.rank() * 7L, 7).build();
    int bytes = (int) view.totalBytes();
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder);
        var buffers = new RankBuffers(2, world.rank())) {
      file.writeAtAll(view, buffers.of(buffers.content(world.rank(), 0, bytes)));
      file.sync();
      Expect.equal((9L << 30) + 7L * world.size(), file.size(), "size");
      var back = buffers.filled(bytes);
      file.readAtAll(view, back);
      Expect.bytes(buffers.content(world.rank(), 0, bytes), back, "far bytes");
      var piece = buffers.filled(7);
      file.readAt((9L << 30) + world.rank() * 7L, piece);
      var all = buffers.content(world.rank(), 0, bytes);
      Expect.bytes(Arrays.copyOfRange(all, bytes - 7, bytes), piece, "last block");
      world.barrier();
    }
  }

  private static void emptyHands(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder)) {
      file.writeAtAll(FileView.EMPTY, MemorySegment.NULL);
      file.readAtAll(FileView.EMPTY, MemorySegment.NULL);
      Expect.equal(0L, file.size(), "size");
      world.barrier();
      for (int writer = 0; writer < world.size(); writer++) {
        if (world.rank() == writer) {
          file.writeAtAll(FileView.of(3L * writer, 3), segment(writer, 1, 2));
        } else {
          file.writeAtAll(FileView.EMPTY, MemorySegment.NULL);
        }
      }
      file.sync();
      for (int reader = 0; reader < world.size(); reader++) {
        var back = segment(9, 9, 9);
        if (world.rank() == reader) {
          file.readAtAll(FileView.of(3L * reader, 3), back);
          Expect.bytes(new byte[] {(byte) reader, 1, 2}, back, "own bytes");
        } else {
          file.readAtAll(FileView.EMPTY, MemorySegment.NULL);
        }
      }
      Expect.thrown(
          IllegalArgumentException.class,
          () -> file.writeAtAll(FileView.EMPTY, segment(1)),
          "data without a view");
      world.barrier();
    }
  }

  private static void overlappingReads(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder);
        var buffers = new RankBuffers(6, world.rank())) {
      var content = buffers.content(0, 0, 5000);
      boolean first = world.rank() == 0;
      file.writeAtAll(
          first ? FileView.of(0, 5000) : FileView.EMPTY,
          first ? buffers.of(content) : MemorySegment.NULL);
      file.sync();
      int from = 7 * world.rank();
      var back = buffers.filled(4000);
      file.readAtAll(FileView.of(from, 4000), back);
      Expect.bytes(Arrays.copyOfRange(content, from, from + 4000), back, "overlapping bytes");
      world.barrier();
    }
  }

  private static void sizes(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder)) {
      file.setSize(100);
      Expect.equal(100L, file.size(), "extended");
      world.barrier();
      if (world.rank() == 0) {
        file.writeAt(0, MemorySegment.ofArray(RankBuffers.filler(100)));
      }
      file.sync();
      file.setSize(10);
      Expect.equal(10L, file.size(), "cut");
      world.barrier();
      file.setSize(20);
      var back = MemorySegment.ofArray(new byte[20]);
      file.readAt(0, back);
      var model = Arrays.copyOf(RankBuffers.filler(10), 20);
      Expect.bytes(model, back, "cut and extended");
      Expect.thrown(IllegalArgumentException.class, () -> file.setSize(-1), "a negative size");
      world.barrier();
    }
  }

  // Performs the steps of a commit: all ranks write; then the size is set to the end of the last
  // byte written.
  private static void sizeAfterWrite(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder)) {
      for (int round = 1; round <= 30; round++) {
        int blocks = round * world.size();
        long at = 10L * (blocks - world.size() + world.rank());
        var own = MemorySegment.ofArray(new byte[10]).fill((byte) round);
        file.writeAtAll(FileView.of(at, 10), own);
        file.setSize(10L * blocks);
        file.sync();
        var last = segment(0);
        file.readAt(10L * blocks - 1, last);
        Expect.bytes(new byte[] {(byte) round}, last, "the last byte of round " + round);
        world.barrier();
      }
    }
  }

  private static void independent(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder)) {
      for (int round = 0; round < 10; round++) {
        file.writeAt(world.rank() * 2L, segment(world.rank(), round));
        file.sync();
        int peer = (world.rank() + round) % world.size();
        var back = segment(99, 99);
        file.readAt(peer * 2L, back);
        Expect.bytes(new byte[] {(byte) peer, (byte) round}, back, "bytes of " + peer);
        world.barrier();
      }
      file.writeAt(0, MemorySegment.NULL);
      file.readAt(1L << 40, MemorySegment.NULL);
      Expect.thrown(
          IllegalArgumentException.class, () -> file.readAt(-1, segment(0)), "a negative offset");
    }
  }

  private static void threads(Communicator world) throws Exception {
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder)) {
      file.writeAt(world.rank(), segment(world.rank() + 1));
      file.sync();
      elsewhere(() -> {
        var back = segment(0);
        file.readAt(world.rank(), back);
        Expect.bytes(new byte[] {(byte) (world.rank() + 1)}, back, "byte");
        Expect.that(file.size() == world.size(), "size");
        if (world.size() > 1) {
          Expect.thrown(
              IllegalStateException.class,
              () -> file.writeAtAll(FileView.EMPTY, MemorySegment.NULL),
              "a collective call from another thread");
        }
      });
      world.barrier();
    }
  }

  private static void threadsOfOne(Communicator world) throws Exception {
    try (var folder = SharedFolder.create(world);
        var alone = world.split(world.rank(), 0)) {
      var path = folder.file("rank" + world.rank());
      elsewhere(() -> {
        try (var own = alone.duplicate();
            var file = own.openFile(path, OpenMode.CREATE, Map.of())) {
          file.writeAtAll(FileView.of(0, 2), segment(3, 4));
          elsewhere(() -> {
            file.writeAtAll(FileView.of(1, 2), segment(5, 6));
            file.setSize(4);
            file.sync();
            own.barrier();
          });
          var back = segment(9, 9, 9, 9);
          file.readAtAll(FileView.of(0, 4), back);
          Expect.bytes(new byte[] {3, 5, 6, 0}, back, "bytes of both threads");
        }
      });
      world.barrier();
    }
  }

  private static void elsewhere(Expect.Action action) throws InterruptedException {
    var failures = new ArrayList<Throwable>();
    var thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                action.run();
              } catch (Throwable t) {
                failures.add(t);
              }
            });
    thread.join();
    Expect.equal(List.of(), failures, "failures of the other thread");
  }

  private static void shortRead(Communicator world) throws IOException {
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder)) {
      file.setSize(10);
      var error =
          Expect.thrown(
              MpiException.class,
              () -> file.readAt(6, MemorySegment.ofArray(new byte[8])),
              "a short read");
      Expect.equal(MpiErrorClass.SHORT_READ, error.errorClass(), "class");
      Expect.equal("readAt", error.operation(), "operation");
      Expect.that(
          error.text().contains("offset=6 expected=8 actual=4"), "text: " + error.getMessage());
      world.barrier();
    }
  }

  private static void shortCollectiveRead(Communicator world) throws IOException {
    int last = world.size() - 1;
    try (var folder = SharedFolder.create(world);
        var file = create(world, folder)) {
      file.setSize(10);
      var view = FileView.of(new long[] {0, 5}, new long[] {2, 20});
      var back = MemorySegment.ofArray(RankBuffers.filler(22));
      if (world.rank() == last) {
        var error =
            Expect.thrown(MpiException.class, () -> file.readAtAll(view, back), "a short read");
        Expect.equal(MpiErrorClass.SHORT_READ, error.errorClass(), "class");
        Expect.that(
            error.text().contains("offset=5 expected=20 actual=5"), "text: " + error.getMessage());
        Expect.bytes(RankBuffers.filler(22), back, "nothing is read");
      } else {
        file.readAtAll(FileView.of(2, 8), back.asSlice(0, 8));
        Expect.bytes(new byte[8], back.asSlice(0, 8), "the others' bytes");
      }
      world.barrier();
    }
  }
}
