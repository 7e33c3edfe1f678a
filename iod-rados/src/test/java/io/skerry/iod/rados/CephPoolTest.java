package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.rados.library.Pool;
import io.skerry.iod.rados.library.RadosException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Data of objects of a pool, which is read in parts. */
class CephPoolTest {
  @RegisterExtension static final CephTests CEPH = new CephTests();

  private static final long MIB = 1 << 20;

  private final Random random = new Random(5);
  private RadosLocation location;
  private Connection connection;
  private Pool pool;

  @BeforeEach
  void open() {
    String unique = CephTests.unique();
    location = RadosLocation.of(EngineLocation.of(CEPH.location(unique) + "&namespace=" + unique));
    connection = Connection.open(location);
    pool = connection.pool();
  }

  @AfterEach
  void close() {
    pool.close();
    connection.close();
  }

  private void store(String object, MemorySegment data) {
    try (var change = pool.change()) {
      pool.write(object, change.data(data));
    }
  }

  private MemorySegment bytes(Arena arena, long size) {
    byte[] bytes = new byte[Math.toIntExact(size)];
    random.nextBytes(bytes);
    return arena
        .allocate(Math.max(1, size))
        .asSlice(0, size)
        .copyFrom(MemorySegment.ofArray(bytes));
  }

  @Test
  void data_of_any_size_is_read_whole() {
    long[] sizes = {
      0,
      1,
      4095,
      4096,
      4097,
      MIB - 1,
      MIB,
      MIB + 1,
      2 * MIB - 1,
      2 * MIB,
      2 * MIB + 1,
      3 * MIB + 4097,
      4 * MIB + 16,
      9 * MIB + 5
    };
    for (long size : sizes) {
      try (Arena arena = Arena.ofConfined()) {
        var data = bytes(arena, size);
        store("o", data);
        var read = arena.allocate(Math.max(1, size)).asSlice(0, size);
        assertEquals(size, pool.read("o", read));
        assertEquals(-1, data.mismatch(read), "size " + size);
      }
    }
  }

  @Test
  void memory_behind_the_end_of_the_data_is_left_unchanged() {
    for (long size : new long[] {0, 3, MIB / 2, MIB + 3, 2 * MIB, 3 * MIB - 7}) {
      try (Arena arena = Arena.ofConfined()) {
        var data = bytes(arena, size);
        store("o", data);
        var read = arena.allocate(4 * MIB).fill((byte) 7);
        assertEquals(size, pool.read("o", read));
        assertEquals(-1, data.mismatch(read.asSlice(0, size)), "size " + size);
        for (long at = size; at < read.byteSize(); at += 101) {
          assertEquals(7, read.get(ValueLayout.JAVA_BYTE, at), "size " + size + " at " + at);
        }
      }
    }
  }

  @Test
  void a_missing_object_is_reported_for_data_of_any_size() {
    try (Arena arena = Arena.ofConfined()) {
      for (long size : new long[] {0, 1, MIB, 5 * MIB}) {
        assertEquals(-1, pool.read("missing", arena.allocate(Math.max(1, size)).asSlice(0, size)));
      }
    }
  }

  @Test
  void a_read_of_a_blocked_client_fails_with_the_function_and_the_object() {
    try (Arena arena = Arena.ofConfined();
        var other = Connection.open(location);
        var same = other.pool()) {
      store("o", bytes(arena, 5 * MIB));
      other.cluster().block(connection.cluster().addresses());
      var read = arena.allocate(5 * MIB);
      // The storage daemon of the object learns of the block with this read.
      assertEquals(5 * MIB, same.read("o", read));
      var e = assertThrows(RadosException.class, () -> pool.read("o", read));
      assertEquals(RadosException.BLOCKED, e.number(), e.getMessage());
      assertTrue(String.valueOf(e.getMessage()).contains("rados_aio_read"), e.getMessage());
      assertTrue(String.valueOf(e.getMessage()).contains("object=o"), e.getMessage());
    }
  }
}
