package io.skerry.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.mpi.file.OpenMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a communicator refuses calls that it cannot make, before any rank waits for them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CommunicatorErrorsTest {
  private static final int RANKS = 3;
  private static final int TAG = 5;
  private static final CallOrder.Call CALL = CallOrder.Call.of("READ", "", "file");

  @TempDir Path folder;

  private static MemorySegment bytes(int n) {
    return MemorySegment.ofArray(new byte[n]);
  }

  private static MemorySegment readOnly(int n) {
    return bytes(n).asReadOnly();
  }

  private static void assertRefused(Executable call) {
    assertThrows(IllegalArgumentException.class, call);
  }

  private static void assertUnusable(Executable call) {
    assertThrows(IllegalStateException.class, call);
  }

  /** Runs an action on a new thread; returns what it throws, empty if it returns normally. */
  private static Optional<Throwable> thrownElsewhere(Executable action) throws Exception {
    var result = new CompletableFuture<Optional<Throwable>>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            action.execute();
            result.complete(Optional.empty());
          } catch (Throwable t) {
            result.complete(Optional.of(t));
          }
        });
    return result.get();
  }

  @Test
  void a_rank_does_not_receive_into_memory_that_is_read_only() {
    long[] ones = {1, 1, 1};
    long[] places = {0, 1, 2};
    LocalRanks.run(
        RANKS,
        world -> {
          boolean root = world.rank() == 0;
          if (root) {
            assertRefused(() -> world.gather(bytes(1), readOnly(RANKS), 0));
            assertRefused(() -> world.gatherVariable(bytes(1), readOnly(RANKS), ones, places, 0));
            assertRefused(() -> world.scatter(bytes(RANKS), readOnly(1), 0));
            assertRefused(() -> world.scatterVariable(bytes(RANKS), ones, places, readOnly(1), 0));
          } else {
            assertRefused(() -> world.broadcast(readOnly(1), 0));
            assertRefused(() -> world.scatter(MemorySegment.NULL, readOnly(1), 0));
            assertRefused(() ->
                world.scatterVariable(
                    MemorySegment.NULL, new long[0], new long[0], readOnly(1), 0));
          }
          assertRefused(() -> world.allGather(bytes(1), readOnly(RANKS)));
          assertRefused(() -> world.allGatherVariable(bytes(1), readOnly(RANKS), ones, places));
          assertRefused(() -> world.allToAll(bytes(RANKS), readOnly(RANKS)));
          assertRefused(() ->
              world.allToAllVariable(bytes(RANKS), ones, places, readOnly(RANKS), ones, places));
          assertRefused(
              () -> world.allReduce(bytes(8), readOnly(8), ElementKind.I64, Reduction.SUM));
          assertRefused(
              () -> world.exclusiveScan(bytes(8), readOnly(8), ElementKind.I64, Reduction.SUM));
          assertRefused(() -> world.receive(readOnly(1), Communicator.ANY_SOURCE, TAG));
          assertRefused(() -> world.receiveLater(readOnly(1), Communicator.ANY_SOURCE, TAG));
          // No refused call has joined a call of other ranks.
          assertEquals(RANKS, world.allReduce(1, Reduction.SUM));
        });
  }

  @Test
  void a_file_is_not_created_if_a_hint_is_null() {
    var path = folder.resolve("hinted");
    var hints = new HashMap<String, String>();
    hints.put("romio_no_indep_rw", null);
    LocalRanks.run(
        RANKS,
        world ->
            assertThrows(
                NullPointerException.class, () -> world.openFile(path, OpenMode.CREATE, hints)));
    assertFalse(Files.exists(path));
  }

  @Test
  void memory_that_is_read_only_is_sent() {
    byte[] content = {1, 2, 3};
    LocalRanks.run(
        RANKS,
        world -> {
          boolean root = world.rank() == 1;
          byte[] received = new byte[3];
          MemorySegment sent = MemorySegment.ofArray(content).asReadOnly();
          world.broadcast(root ? sent : MemorySegment.ofArray(received), 1);
          assertArrayEquals(root ? new byte[3] : content, received);
          MemorySegment all = bytes(3 * RANKS);
          world.allGather(sent, all);
          assertEquals(-1, sent.mismatch(all.asSlice(3, 3)));
        });
  }

  @Test
  void a_buffer_of_a_closed_arena_is_refused() {
    LocalRanks.run(
        RANKS,
        world -> {
          MemorySegment closed;
          try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(8);
          }
          assertUnusable(() -> world.broadcast(closed, 0));
          assertUnusable(() -> world.gather(closed, bytes(8 * RANKS), 0));
          assertUnusable(() -> world.allReduce(closed, bytes(8), ElementKind.I64, Reduction.SUM));
          assertUnusable(() -> world.allReduce(bytes(8), closed, ElementKind.I64, Reduction.SUM));
          assertUnusable(() -> world.send(closed, 0, TAG));
          assertUnusable(() -> world.sendLater(closed, 0, TAG));
          assertUnusable(() -> world.receive(closed, 0, TAG));
          assertUnusable(() -> world.receiveLater(closed, 0, TAG));
          assertEquals(RANKS, world.allReduce(1, Reduction.SUM));
        });
  }

  @Test
  void a_buffer_of_another_thread_is_refused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment foreign = arena.allocate(8);
      LocalRanks.run(
          RANKS,
          world -> {
            assertThrows(WrongThreadException.class, () -> world.broadcast(foreign, 0));
            assertThrows(WrongThreadException.class, () -> world.send(foreign, 0, TAG));
            assertThrows(
                WrongThreadException.class,
                () -> world.allReduce(bytes(8), foreign, ElementKind.I64, Reduction.SUM));
            assertEquals(RANKS, world.allReduce(1, Reduction.SUM));
          });
    }
  }

  @Test
  void the_state_is_checked_before_the_arguments_of_array_calls() {
    LocalRanks.run(
        2,
        world -> {
          Communicator twin = world.duplicate();
          twin.close();
          assertUnusable(() -> twin.allToAll(new long[5]));
          assertUnusable(() -> twin.allGather(1));
          assertUnusable(() -> twin.broadcast(new byte[1], 7));
        });
  }

  @Test
  void a_released_handle_to_the_call_order_refuses_calls() {
    LocalRanks.run(
        2,
        world -> {
          CallOrder order = world.callOrder();
          CallOrder another = order.another();
          order.close();
          order.close();
          assertUnusable(() -> order.begin(CALL));
          assertUnusable(() -> order.agree(CALL));
          assertUnusable(order::another);
          assertArrayEquals(new long[] {7}, another.begin(CALL, 6 + world.rank()));
          another.close();
        });
  }

  @Test
  void only_the_owner_releases_the_last_handle_of_a_closed_communicator() {
    LocalRanks.run(
        2,
        world -> {
          Communicator twin = world.duplicate();
          CallOrder order = twin.callOrder();
          CallOrder another = order.another();
          twin.close();
          assertEquals(Optional.empty(), thrownElsewhere(another::close));
          var refusal = thrownElsewhere(order::close);
          assertInstanceOf(IllegalStateException.class, refusal.orElseThrow());
          // The refused call has not released the handle.
          assertArrayEquals(new long[] {3}, order.begin(CALL, 3));
          order.close();
          assertUnusable(() -> order.begin(CALL));
        });
  }

  @Test
  void a_handle_keeps_a_communicator_only_until_it_is_released() {
    LocalRanks.run(
        2,
        world -> {
          Communicator twin = world.duplicate();
          CallOrder order = twin.callOrder();
          assertEquals(Optional.empty(), thrownElsewhere(order::close));
          assertEquals(2, twin.allReduce(1, Reduction.SUM));
          twin.close();
          assertUnusable(twin::barrier);
        });
  }

  @Test
  void a_mismatch_without_a_call_is_refused() {
    var extent = CallMismatchException.Extent.ONE_GROUP;
    var kind = CallOrder.Call.Kind.ORDINARY;
    assertRefused(() -> new CallMismatchException(new TreeMap<>(), extent, kind));
  }
}
