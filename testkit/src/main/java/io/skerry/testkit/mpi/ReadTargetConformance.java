package io.skerry.testkit.mpi;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.MemoryView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Conformance suite for the targets of independent reads: native memory, Java arrays, and slices of
 * both.
 */
public final class ReadTargetConformance implements RankedCases {
  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase("arrays_of_any_kind_are_read_into", ReadTargetConformance::arrays),
        new RankedCase(
            "a_file_that_is_cut_while_an_array_is_filled_ends_too_early",
            ReadTargetConformance::cut),
        new RankedCase("places_in_memory_are_filled_in_turn", ReadTargetConformance::places),
        new RankedCase(
            "places_that_cannot_be_filled_are_left_to_a_plain_read",
            ReadTargetConformance::noPlaces));
  }

  private static MpiFile create(Communicator world, SharedFolder folder) {
    return world.openFile(folder.file("data"), OpenMode.CREATE, Map.of());
  }

  private static byte[] random(int bytes) {
    var random = new byte[bytes];
    new Random(5).nextBytes(random);
    return random;
  }

  /** Writes a file with the given bytes and opens it for reading. */
  private static MpiFile stored(Communicator world, SharedFolder folder, byte[] bytes) {
    try (var file = create(world, folder)) {
      if (world.rank() == 0) {
        file.writeAt(0, MemorySegment.ofArray(bytes));
      }
      file.sync();
    }
    world.barrier();
    var file = world.openFile(folder.file("data"), OpenMode.READ, Map.of());
    // Without this barrier, rank 0 could delete the file before another rank has opened it with
    // POSIX calls. That rank would then read the file through a Java channel.
    world.barrier();
    return file;
  }

  private static void arrays(Communicator world) throws IOException {
    var bytes = random(3_000_000);
    try (var folder = SharedFolder.create(world)) {
      try (var file = create(world, folder)) {
        file.writeAt(0, MemorySegment.ofArray(bytes));
        file.sync();
        fill(file, bytes);
      }
      world.barrier();
      try (var file = world.openFile(folder.file("data"), OpenMode.READ, Map.of())) {
        fill(file, bytes);
        var tooLong = MemorySegment.ofArray(new long[3]);
        var error =
            Expect.thrown(
                MpiException.class,
                () -> file.readAt(bytes.length - 17, tooLong),
                "an array beyond the end");
        Expect.that(error.errorClass() == MpiErrorClass.SHORT_READ, "short read: " + error);
      }
    }
  }

  private static void fill(MpiFile file, byte[] bytes) {
    for (MemorySegment array :
        List.of(
            MemorySegment.ofArray(new byte[1_400_000]),
            MemorySegment.ofArray(new double[350_001]).asSlice(5, 2_799_001),
            MemorySegment.ofArray(new short[600_000]),
            MemorySegment.ofArray(new int[2]),
            MemorySegment.ofArray(new float[300_001]),
            MemorySegment.ofArray(new double[150_001]),
            MemorySegment.ofArray(new long[150_001]).asSlice(24, 1_100_003))) {
      file.readAt(77, array);
      var wanted = Arrays.copyOfRange(bytes, 77, 77 + (int) array.byteSize());
      Expect.bytes(wanted, array, "array of " + array.byteSize() + " bytes");
    }
  }

  /** One thread truncates and restores the file repeatedly while another thread reads it. */
  private static void cut(Communicator world) throws Exception {
    int size = 4 << 20;
    try (var folder = SharedFolder.create(world);
        var file = stored(world, folder, new byte[size])) {
      if (world.rank() == 0) {
        var path = folder.file("data");
        var over = new AtomicBoolean();
        var cutting =
            Thread.ofPlatform()
                .start(() -> {
                  try (var other = new RandomAccessFile(path.toFile(), "rw")) {
                    while (!over.get()) {
                      other.setLength(size / 2 + 5);
                      other.setLength(size);
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
        var array = MemorySegment.ofArray(new float[size / 4]);
        for (int round = 0; round < 40; round++) {
          try {
            file.readAt(0, array);
          } catch (MpiException e) {
            Expect.that(e.errorClass() == MpiErrorClass.SHORT_READ, "short read: " + e);
          }
        }
        over.set(true);
        cutting.join();
        file.readAt(0, array);
        Expect.bytes(new byte[size], array, "zeros");
      }
      world.barrier();
    }
  }

  private static void places(Communicator world) throws IOException {
    var bytes = random(300_000);
    try (var folder = SharedFolder.create(world);
        var file = stored(world, folder, bytes);
        var arena = Arena.ofConfined()) {
      for (int seed = 0; seed < 40; seed++) {
        var random = new Random(seed);
        // Linux accepts at most 1024 buffers per call, so some rounds may need several calls.
        int count = 1 + random.nextInt(seed % 4 == 0 ? 2500 : 40);
        int slot = 1 + random.nextInt(100);
        var slots = Arrays.asList(IntStream.range(0, count + 3).boxed().toArray(Integer[]::new));
        Collections.shuffle(slots, random);
        var offsets = new long[count];
        var lengths = new long[count];
        var expected = new byte[(count + 3) * slot];
        int from = random.nextInt(40_000);
        int at = from;
        for (int i = 0; i < count; i++) {
          lengths[i] = 1L + random.nextInt(slot);
          offsets[i] = (long) slots.get(i) * slot + random.nextInt(slot - (int) lengths[i] + 1);
          System.arraycopy(bytes, at, expected, (int) offsets[i], (int) lengths[i]);
          at += (int) lengths[i];
        }
        var memory = arena.allocate(expected.length, 1);
        boolean done = file.scatterAt(from, memory, MemoryView.of(offsets, lengths));
        boolean able = System.getProperty("os.name", "").equals("Linux");
        Expect.that(done || !able, "not done: seed=" + seed);
        if (done) {
          Expect.bytes(expected, memory, "places of seed " + seed);
        }
      }
    }
  }

  private static void noPlaces(Communicator world) throws IOException {
    var bytes = random(5000);
    try (var folder = SharedFolder.create(world);
        var file = stored(world, folder, bytes);
        var arena = Arena.ofConfined()) {
      var places = MemoryView.of(new long[] {64, 0}, new long[] {32, 64});
      var memory = arena.allocate(96, 1);
      Expect.that(
          !file.scatterAt(0, MemorySegment.ofArray(new byte[96]), places), "done in an array");
      Expect.that(!file.scatterAt(0, memory.asReadOnly(), places), "done in read-only memory");
      Expect.that(!file.scatterAt(bytes.length - 95, memory, places), "done beyond the end");
      Expect.that(!file.scatterAt(bytes.length + 95, memory, places), "done behind the end");
      Expect.thrown(
          IndexOutOfBoundsException.class,
          () -> file.scatterAt(0, memory.asSlice(0, 95), places),
          "a place outside the memory");
      Expect.thrown(
          IndexOutOfBoundsException.class,
          () -> file.scatterAt(0, MemorySegment.ofArray(new byte[95]), places),
          "a place outside the array");
    }
  }
}
