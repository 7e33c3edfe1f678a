package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages and bulk data that are damaged, or do not arrive. */
@Timeout(60)
class DamagedMessagesTest {
  private static final Duration SHORT = ShipperFailureTest.SHORT;
  private static final Duration BOUND = ShipperFailureTest.BOUND;

  @TempDir Path folder;

  /** Changes the messages of one rank that fulfil a condition. */
  private static Communicator tapped(
      Communicator world, int rank, BiPredicate<MemorySegment, Integer> condition, long bit) {
    if (world.rank() != rank) {
      return world;
    }
    return Wire.tapped(
        world,
        new Wire.Tap() {
          @Override
          public Request send(Communicator inner, MemorySegment buffer, int destination, int tag) {
            if (!condition.test(buffer, tag)) {
              return inner.sendLater(buffer, destination, tag);
            }
            return bit < 0
                ? Wire.dropped(buffer, tag)
                : Wire.damaged(inner, buffer, destination, tag, bit);
          }
        });
  }

  private static int kind(MemorySegment frame) {
    return Byte.toUnsignedInt(frame.get(ValueLayout.JAVA_BYTE, 5));
  }

  @ParameterizedTest
  @EnumSource(names = {"TRANSFER", "MEMORY", "ALL"})
  void damaged_bulk_data_to_an_io_rank_is_found(ChecksumLevel level) {
    var sent = ShipperFailureTest.setting(folder, 1, Placement.Kind.LAST);
    var setting = sent.with(sent.options().with(level));
    var isDamaged = new AtomicBoolean(true);
    setting.run(
        2,
        world ->
            tapped(world, 0, (_, tag) -> tag == Wire.TO_SERVER && isDamaged.getAndSet(false), 700),
        client -> {
          var ticket = client.transactions().startNext();
          var e =
              assertThrows(
                  FormatException.class,
                  () -> setting.put(client, ticket, Setting.tile(1), "x".repeat(5000)));
          assertTrue(e.getMessage().contains("checksum of the payload"), e.getMessage());
          assertTrue(e.getMessage().contains("tile 1"), e.getMessage());
          assertTrue(e.getMessage().contains(folder.toString()), e.getMessage());
          assertThrows(FormatException.class, () -> client.transactions().finish(ticket));
          var next = client.transactions().startNext();
          setting.put(client, next, Setting.tile(1), "y".repeat(5000));
          client.transactions().finish(next);
        });
  }

  @Test
  void damaged_bulk_data_to_a_client_is_found() {
    var setting = ShipperFailureTest.setting(folder, 1, Placement.Kind.LAST);
    var isDamaged = new AtomicBoolean(true);
    setting.run(
        2,
        world ->
            tapped(world, 1, (_, tag) -> tag == Wire.TO_CLIENT && isDamaged.getAndSet(false), 700),
        client -> {
          var ticket = client.transactions().startNext();
          setting.put(client, ticket, Setting.tile(1), "x".repeat(5000));
          client.transactions().finish(ticket);
          client.transactions().awaitReadable(ticket);
          var e = assertThrows(FormatException.class, () -> setting.get(client, Setting.tile(1)));
          assertTrue(e.getMessage().contains("checksum of the payload"), e.getMessage());
          assertEquals(Optional.of("x".repeat(5000)), setting.get(client, Setting.tile(1)));
        });
  }

  @Test
  void without_checksums_damaged_bulk_data_is_not_found_on_its_way() {
    var setting = ShipperFailureTest.setting(folder, 1, Placement.Kind.LAST);
    setting
        .with(setting.options().with(ChecksumLevel.OFF))
        .run(
            2,
            world -> tapped(world, 0, (_, tag) -> tag == Wire.TO_SERVER, 700),
            client -> {
              var ticket = client.transactions().startNext();
              setting.put(client, ticket, Setting.tile(1), "x".repeat(5000));
              client.transactions().finish(ticket);
              client.transactions().awaitReadable(ticket);
              var found = setting.get(client, Setting.tile(1)).orElseThrow();
              assertEquals(5000, found.length());
              assertTrue(!found.equals("x".repeat(5000)));
            });
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5, 9, 17, 25, 33, 41, 50})
  void a_client_whose_message_is_damaged_is_given_up(long at) {
    var setting = ShipperFailureTest.setting(folder, 2, Placement.Kind.LAST).patient(SHORT);
    setting.run(
        5,
        world -> tapped(world, 1, (frame, tag) -> tag == Wire.MESSAGE && kind(frame) == 1, at),
        client -> {
          var ticket = client.transactions().startNext();
          if (client.number() == 1) {
            var e =
                assertThrows(
                    ShipperException.class,
                    () -> {
                      setting.put(client, ticket, Setting.tile(1), "lost");
                      client.transactions().finish(ticket);
                    });
            assertTrue(e.getMessage().contains("FORMAT"), e.getMessage());
          } else {
            setting.put(client, ticket, Setting.tile(10 + client.number()), "kept");
            client.transactions().finish(ticket);
          }
        });
  }

  @Test
  void a_client_whose_announced_data_does_not_arrive_is_given_up() {
    var setting = ShipperFailureTest.setting(folder, 2, Placement.Kind.LAST).patient(SHORT);
    setting.run(
        5,
        world -> tapped(world, 1, (_, tag) -> tag == Wire.TO_SERVER, -1),
        client -> {
          var transactions = client.transactions();
          var ticket = transactions.start(1, 3);
          if (client.number() == 1) {
            var e =
                assertThrows(
                    ShipperException.class,
                    () -> {
                      setting.put(client, ticket, Setting.tile(1), "x".repeat(5000));
                      transactions.finish(ticket);
                    });
            assertTrue(e.getMessage().contains("rank=1"), e.getMessage());
            assertTrue(e.getMessage().contains("has not arrived within 2000 ms"), e.getMessage());
          } else {
            transactions.finish(ticket);
            long start = System.nanoTime();
            assertThrows(RuntimeException.class, () -> transactions.awaitReadable(ticket));
            assertTrue(System.nanoTime() - start < BOUND.toNanos());
          }
        });
  }

  @Test
  void an_io_rank_that_does_not_answer_is_reported() {
    var setting = ShipperFailureTest.setting(folder, 1, Placement.Kind.LAST).patient(SHORT);
    setting.run(
        3,
        world -> tapped(world, 2, (frame, tag) -> tag == Wire.MESSAGE && kind(frame) == 32, -1),
        client -> {
          var ticket = client.transactions().startNext();
          long start = System.nanoTime();
          var e =
              assertThrows(
                  ShipperException.class,
                  () -> {
                    setting.put(client, ticket, Setting.tile(1), "x");
                  });
          assertEquals(2, e.rank());
          assertTrue(e.getMessage().contains("no result of Edit within 3000 ms"), e.getMessage());
          assertTrue(System.nanoTime() - start < BOUND.toNanos());
          assertThrows(ShipperException.class, () -> client.transactions().startNext());
        });
  }

  @Test
  void an_io_rank_that_does_not_answer_the_leader_is_reported() {
    var setting = ShipperFailureTest.setting(folder, 2, Placement.Kind.LAST).patient(SHORT);
    LocalRanks.run(
        4,
        world -> {
          var shipper =
              setting.open(
                  tapped(world, 3, (frame, tag) -> tag == Wire.MESSAGE && kind(frame) == 114, -1),
                  setting.source());
          if (shipper.client().isEmpty()) {
            assertEquals(3, assertThrows(ShipperException.class, shipper::close).rank());
            return;
          }
          var client = shipper.client().get();
          long start = System.nanoTime();
          var e = ShipperFailureTest.failed(setting, client);
          assertEquals(3, e.rank());
          assertTrue(e.getMessage().contains("no answer to an order"), e.getMessage());
          assertTrue(System.nanoTime() - start < BOUND.toNanos());
          shipper.close();
        });
  }

  @Test
  void an_io_rank_that_owes_a_newer_answer_is_not_named_as_silent() {
    var setting = ShipperFailureTest.setting(folder, 3, Placement.Kind.LAST).patient(SHORT);
    var isLater = new AtomicBoolean();
    LocalRanks.run(
        4,
        world -> {
          var dropping = tapped(world, 3, (frame, tag) -> isPrepared(frame, tag), -1);
          dropping =
              tapped(dropping, 2, (frame, tag) -> isLater.get() && isPrepared(frame, tag), -1);
          var shipper = setting.open(dropping, setting.source());
          if (shipper.client().isEmpty()) {
            assertEquals(3, assertThrows(ShipperException.class, shipper::close).rank());
            return;
          }
          var client = shipper.client().get();
          var first = client.transactions().startNext();
          client.transactions().finish(first);
          long start = System.nanoTime();
          while (System.nanoTime() - start < SHORT.toNanos() / 2) {
            client.progress();
          }
          isLater.set(true);
          client.transactions().finish(client.transactions().startNext());
          var e =
              assertThrows(
                  ShipperException.class, () -> client.transactions().awaitReadable(first));
          assertEquals(3, e.rank(), e.getMessage());
          assertTrue(e.getMessage().contains("ranks=[3]"), e.getMessage());
          shipper.close();
        });
  }

  private static boolean isPrepared(MemorySegment frame, int tag) {
    return tag == Wire.MESSAGE && kind(frame) == 114;
  }
}
