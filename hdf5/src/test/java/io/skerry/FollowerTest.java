package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.EpochExpiredException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A follower and the writers of its file, from opening to closing. */
@Timeout(120)
class FollowerTest {
  private static final int LENGTH = 40_000;

  @TempDir Path folder;
  private Path path;
  private Path live;

  @BeforeEach
  void name_files() {
    path = folder.resolve("run.h5");
    live = folder.resolve("run.h5.live");
  }

  private static FileOptions options(int epochs) {
    return FileOptions.live()
        .withLiveReaders(
            new FileOptions.LiveReaders(epochs, 1 << 30, Duration.ofSeconds(Long.MAX_VALUE)));
  }

  private H5File created() {
    return H5File.create(path, Communicator.self(), options(8));
  }

  /** Creates a dataset that is too large to be kept in memory by the opening of the file. */
  private static Dataset flat(H5File file) {
    Dataset flat = file.createDataset("/flat", DatasetSpec.of(Datatype.I32, Shape.of(LENGTH)));
    flat.write(Selection.all(), filled(1));
    return flat;
  }

  private static int[] filled(int value) {
    int[] values = new int[LENGTH];
    Arrays.fill(values, value);
    return values;
  }

  private static void assertHolds(int value, H5File.Follower follower) {
    assertArrayEquals(filled(value), follower.file().dataset("/flat").readInts(Selection.all()));
  }

  private static void assertExpired(H5File.Follower follower) {
    CollectiveException e =
        assertThrows(
            CollectiveException.class,
            () -> follower.file().dataset("/flat").readInts(Selection.all()));
    assertInstanceOf(EpochExpiredException.class, e.getCause());
  }

  @Test
  void a_contiguous_dataset_is_followed_even_if_nothing_else_changes() throws IOException {
    try (H5File file = created()) {
      Dataset flat = flat(file);
      file.flush();
      try (H5File.Follower follower = H5File.follow(path)) {
        assertHolds(1, follower);
        for (int value = 2; value < 20; value++) {
          flat.write(Selection.all(), filled(value));
          flat.write(Selection.all(), filled(value + 100));
          flat.write(Selection.all(), filled(value));
          assertHolds(value - 1, follower);
          file.flush();
          assertHolds(value - 1, follower);
          assertTrue(follower.refresh());
          assertHolds(value, follower);
        }
        assertTrue(Files.size(live) < 4L * 4 * LENGTH, "bytes=" + Files.size(live));
      }
    }
  }

  @Test
  void the_last_epoch_can_be_read_after_the_writer_has_closed_the_file() {
    H5File file = created();
    Dataset flat = flat(file);
    file.flush();
    try (H5File.Follower follower = H5File.follow(path)) {
      flat.write(Selection.all(), filled(2));
      file.close();
      assertHolds(1, follower);
      assertTrue(follower.awaitNext(Duration.ofSeconds(10)));
      assertHolds(2, follower);
      assertFalse(follower.isWritten());
      assertFalse(follower.awaitNext(Duration.ofSeconds(10)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "plain", "new"})
  void the_next_writer_ends_the_last_epoch_of_a_closed_file(String kind) {
    try (H5File.Follower follower = closedAtItsNewestEpoch()) {
      FileOptions options = kind.equals("plain") ? FileOptions.standard() : options(8);
      try (H5File file =
          kind.equals("new")
              ? H5File.create(path, Communicator.self(), options)
              : H5File.openForWriting(path, Communicator.self(), options)) {
        if (kind.equals("new")) {
          flat(file);
        }
        file.dataset("/flat").write(Selection.all(), filled(7));
        file.flush();
        assertExpired(follower);
      }
      assertTrue(follower.refresh());
      assertHolds(7, follower);
    }
  }

  @Test
  void the_last_epoch_of_a_file_that_was_found_closed_ends_with_the_next_writer() {
    H5File file = created();
    Dataset flat = flat(file);
    file.flush();
    try (H5File.Follower follower = H5File.follow(path)) {
      flat.write(Selection.all(), filled(2));
      file.close();
      assertTrue(follower.refresh());
      assertHolds(2, follower);
      assertEquals(2, follower.epoch());
      try (H5File next = H5File.openForWriting(path, Communicator.self(), options(8))) {
        next.dataset("/flat").write(Selection.all(), filled(3));
        assertExpired(follower);
      }
      assertTrue(follower.refresh());
      assertHolds(3, follower);
    }
  }

  @Test
  void a_file_that_was_removed_while_it_was_open_can_be_closed() throws IOException {
    try (H5File file = created()) {
      flat(file);
      file.flush();
      Files.delete(path);
    }
    assertFalse(Files.exists(live));
  }

  private H5File.Follower closedAtItsNewestEpoch() {
    H5File.Follower follower;
    try (H5File file = created()) {
      flat(file);
      file.flush();
      follower = H5File.follow(path);
    }
    assertFalse(follower.refresh());
    assertHolds(1, follower);
    return follower;
  }

  @Test
  void a_reader_that_announces_its_epoch_keeps_it_up_to_the_limit() {
    try (H5File file = H5File.create(path, Communicator.self(), options(3))) {
      Dataset flat = flat(file);
      file.flush();
      try (H5File.Follower follower = H5File.follow(path)) {
        for (int value = 2; value <= 4; value++) {
          flat.write(Selection.all(), filled(value));
          file.flush();
          assertHolds(1, follower);
        }
        flat.write(Selection.all(), filled(5));
        file.flush();
        assertExpired(follower);
        assertTrue(follower.refresh());
        assertHolds(5, follower);
      }
    }
  }

  @Test
  void the_remains_of_an_interrupted_creation_do_not_stop_a_writer() throws IOException {
    for (byte[] remains : List.of(new byte[0], new byte[100], new byte[8192])) {
      Files.write(live, remains);
      try (H5File file = created()) {
        flat(file);
        file.flush();
        try (H5File.Follower follower = H5File.follow(path)) {
          assertHolds(1, follower);
        }
      }
    }
  }

  @Test
  void a_file_of_another_program_is_neither_used_nor_removed() throws IOException {
    Files.writeString(live, "notes of a user");
    CollectiveException e = assertThrows(CollectiveException.class, this::created);
    assertTrue(e.getMessage().contains("name of the live file"), e.getMessage());
    H5File.create(path).close();
    assertEquals("notes of a user", Files.readString(live));
  }

  @Test
  void ranks_follow_a_file_together() {
    try (H5File file = created()) {
      Dataset flat = flat(file);
      file.flush();
      LocalRanks.run(
          3,
          world -> {
            try (H5File.Follower follower = H5File.follow(path, world, FileOptions.standard())) {
              assertHolds(1, follower);
              world.barrier();
              if (world.rank() == 1) {
                flat.write(Selection.all(), filled(2));
                file.flush();
              }
              world.barrier();
              assertArrayEquals(
                  new int[] {1, 1},
                  follower.file().dataset("/flat").readInts(Selection.box(at(5), at(2))));
              assertTrue(follower.awaitNext(Duration.ofSeconds(Long.MAX_VALUE)));
              assertHolds(2, follower);
              assertEquals(2, follower.epoch());
            }
          });
    }
  }

  private static long[] at(long index) {
    return new long[] {index};
  }

  @Test
  void a_live_file_that_cannot_be_used_is_reported_on_all_ranks() throws IOException {
    H5File file = created();
    flat(file);
    file.flush();
    LocalRanks.run(
        3,
        world -> {
          try (H5File.Follower follower = H5File.follow(path, world, FileOptions.standard())) {
            world.barrier();
            if (world.rank() == 0) {
              file.close();
              makeFolder(live);
            }
            world.barrier();
            assertThrows(UncheckedIOException.class, follower::refresh);
            assertThrows(
                UncheckedIOException.class, () -> follower.awaitNext(Duration.ofSeconds(1)));
            assertHolds(1, follower);
          }
        });
  }

  private static void makeFolder(Path folder) {
    try {
      Files.createDirectory(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void a_new_file_is_followed_from_its_first_flush() {
    try (H5File file = created();
        H5File.Follower follower = H5File.follow(path)) {
      assertEquals(0, follower.epoch());
      assertTrue(follower.isWritten());
      assertThrows(IllegalStateException.class, follower::file);
      assertFalse(follower.awaitNext(Duration.ofMillis(10)));
      flat(file);
      file.flush();
      assertTrue(follower.refresh());
      assertHolds(1, follower);
    }
  }

  @Test
  void a_follower_finds_the_writer_after_one_that_failed_to_open_the_file() throws IOException {
    Files.writeString(path, "not an HDF5 file");
    assertThrows(
        CollectiveException.class,
        () -> H5File.openForWriting(path, Communicator.self(), options(8)));
    assertFalse(Files.exists(live));
    assertThrows(CollectiveException.class, () -> H5File.follow(path));
    try (H5File file = created()) {
      flat(file);
      file.flush();
      try (H5File.Follower follower = H5File.follow(path)) {
        assertHolds(1, follower);
      }
    }
  }
}
