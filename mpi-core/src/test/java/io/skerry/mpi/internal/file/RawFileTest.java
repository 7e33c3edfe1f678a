package io.skerry.mpi.internal.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.mpi.file.OpenMode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that file access by descriptor and file access by channel behave identically. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RawFileTest {
  private static final int BYTES = 100_000;

  @TempDir Path folder;

  /** The implementations of {@link RawFile}. */
  enum Access {
    DESCRIPTOR {
      @Override
      RawFile open(Path path, OpenMode mode) {
        assumeTrue(PosixCalls.found().isPresent(), "no C library to be called here");
        return PosixFile.open(path, mode).orElseThrow();
      }
    },
    CHANNEL {
      @Override
      RawFile open(Path path, OpenMode mode) throws IOException {
        FileChannel channel =
            mode == OpenMode.READ
                ? FileChannel.open(path, StandardOpenOption.READ)
                : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        return new ChannelFile(path, mode, channel);
      }
    };

    abstract RawFile open(Path path, OpenMode mode) throws IOException;
  }

  private Path stored(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("data"), bytes);
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new Random(11).nextBytes(random);
    return random;
  }

  private static byte[] read(RawFile file, long offset, int bytes) throws IOException {
    byte[] read = new byte[bytes];
    assertEquals(bytes, file.read(offset, MemorySegment.ofArray(read)));
    return read;
  }

  @ParameterizedTest
  @EnumSource
  void arrays_and_native_memory_are_written_and_read(Access access) throws IOException {
    long[] numbers = new Random(3).longs(90_000).toArray();
    MemorySegment given = MemorySegment.ofArray(numbers);
    try (RawFile file = access.open(stored(new byte[] {1, 2, 3}), OpenMode.WRITE);
        Arena arena = Arena.ofConfined()) {
      file.write(3, given);
      assertEquals(3 + given.byteSize(), file.size());
      MemorySegment nativeBack = arena.allocate(given.byteSize());
      assertEquals(given.byteSize(), file.read(3, nativeBack));
      assertEquals(-1, given.mismatch(nativeBack));
      long[] back = new long[numbers.length];
      assertEquals(given.byteSize(), file.read(3, MemorySegment.ofArray(back)));
      assertArrayEquals(numbers, back);
      file.write(0, nativeBack.asSlice(0, 3));
      assertArrayEquals(given.asSlice(0, 3).toArray(ValueLayout.JAVA_BYTE), read(file, 0, 3));
      file.force();
    }
  }

  @ParameterizedTest
  @EnumSource
  void reading_stops_at_the_end(Access access) throws IOException {
    try (RawFile file = access.open(stored(random(10)), OpenMode.READ);
        Arena arena = Arena.ofConfined()) {
      assertEquals(4, file.read(6, arena.allocate(8)));
      assertEquals(4, file.read(6, MemorySegment.ofArray(new int[2])));
      assertEquals(4, file.read(6, MemorySegment.ofArray(new byte[8])));
      assertEquals(0, file.read(10, arena.allocate(8)));
      assertEquals(0, file.read(1L << 40, arena.allocate(8)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void truncating_never_extends(Access access) throws IOException {
    try (RawFile file = access.open(stored(random(10)), OpenMode.WRITE)) {
      file.cut(20);
      assertEquals(10, file.size());
      file.cut(4);
      assertEquals(4, file.size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_failure_has_the_systems_error_text(Access access) throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "no device that is always full");
    try (RawFile file = access.open(full, OpenMode.WRITE)) {
      IOException failure =
          assertThrows(IOException.class, () -> file.write(0, MemorySegment.ofArray(new byte[10])));
      assertEquals("No space left on device", failure.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_closed_file_refuses_further_use(Access access) throws IOException {
    RawFile file = access.open(stored(random(10)), OpenMode.WRITE);
    file.close();
    file.close();
    assertThrows(IOException.class, file::size);
    assertThrows(IOException.class, () -> file.read(0, MemorySegment.ofArray(new byte[1])));
    assertThrows(IOException.class, () -> file.write(0, MemorySegment.ofArray(new byte[1])));
    assertThrows(IOException.class, file::force);
    assertArrayEquals(random(10), Files.readAllBytes(folder.resolve("data")));
  }

  @ParameterizedTest
  @EnumSource
  void interrupts_of_one_thread_affect_no_reads(Access access) throws Exception {
    byte[] bytes = random(BYTES);
    try (RawFile file = access.open(stored(bytes), OpenMode.WRITE)) {
      ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
      AtomicBoolean done = new AtomicBoolean();
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(
            Thread.ofPlatform()
                .uncaughtExceptionHandler((_, e) -> failures.add(e))
                .start(() -> {
                  while (!done.get()) {
                    assertArrayEquals(bytes, readWhole(file));
                  }
                }));
      }
      for (int n = 0; n < 100; n++) {
        AtomicBoolean stillSet = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Thread victim =
            Thread.ofPlatform()
                .uncaughtExceptionHandler((_, e) -> failures.add(e))
                .start(() -> {
                  begun.countDown();
                  while (!Thread.currentThread().isInterrupted()) {
                    assertArrayEquals(bytes, readWhole(file));
                  }
                  writeWhole(file, bytes);
                  stillSet.set(Thread.interrupted());
                });
        begun.await();
        victim.interrupt();
        victim.join();
        assertTrue(stillSet.get() || !failures.isEmpty(), "the interrupt stays set");
      }
      done.set(true);
      for (Thread reader : readers) {
        reader.join();
      }
      assertEquals(List.of(), List.copyOf(failures));
      assertFalse(Thread.currentThread().isInterrupted());
    }
  }

  private static byte[] readWhole(RawFile file) {
    try {
      return read(file, 0, BYTES);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void writeWhole(RawFile file, byte[] bytes) {
    try {
      file.write(0, MemorySegment.ofArray(bytes));
      assertEquals(BYTES, file.size());
      file.force();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_file_whose_channel_an_interrupt_closed_is_reopened_unless_its_name_refers_to_another_file()
      throws IOException {
    byte[] bytes = random(10);
    Path path = stored(bytes);
    try (FileChannel first = FileChannel.open(path, StandardOpenOption.READ);
        RawFile file = new ChannelFile(path, OpenMode.READ, first)) {
      first.close();
      assertArrayEquals(bytes, read(file, 0, 10));
    }
    try (FileChannel first = FileChannel.open(path, StandardOpenOption.READ);
        RawFile file = new ChannelFile(path, OpenMode.READ, first)) {
      Path other = Files.write(folder.resolve("other"), new byte[10]);
      Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
      assertArrayEquals(bytes, read(file, 0, 10));
      first.close();
      IOException failure = assertThrows(IOException.class, () -> read(file, 0, 10));
      assertTrue(failure.getMessage().contains("leads to another one"), failure.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource
  void closing_waits_for_reads_or_fails_them(Access access) throws Exception {
    byte[] bytes = random(BYTES);
    for (int round = 0; round < 50; round++) {
      RawFile file = access.open(stored(bytes), OpenMode.READ);
      ConcurrentLinkedQueue<Throwable> wrong = new ConcurrentLinkedQueue<>();
      List<Thread> readers = new ArrayList<>();
      CountDownLatch begun = new CountDownLatch(2);
      for (int i = 0; i < 2; i++) {
        readers.add(
            Thread.ofPlatform()
                .uncaughtExceptionHandler((_, e) -> wrong.add(e))
                .start(() -> {
                  begun.countDown();
                  try {
                    while (true) {
                      assertArrayEquals(bytes, read(file, 0, BYTES));
                    }
                  } catch (IOException e) {
                    // The file is closed.
                  }
                }));
      }
      begun.await();
      file.close();
      for (Thread reader : readers) {
        reader.join();
      }
      assertEquals(List.of(), List.copyOf(wrong));
    }
  }
}
