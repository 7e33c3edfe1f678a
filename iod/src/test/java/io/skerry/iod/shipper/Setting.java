package io.skerry.iod.shipper;

import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ShardMap;
import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.VersionChoice;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A container on the embedded engine, and the ranks that use it. */
record Setting(EngineLocation location, int shards, ShipperOptions options, Duration patience) {
  private static final Duration LONG = Duration.ofSeconds(60);

  static Setting created(Path folder, int shards, ShipperOptions options) {
    var location = new EngineLocation("iod", folder.resolve("c").toString());
    Engines.of(location).create(location, shards);
    return new Setting(location, shards, options, LONG);
  }

  Setting with(ShipperOptions other) {
    return new Setting(location, shards, other, patience);
  }

  Setting patient(Duration other) {
    return new Setting(location, shards, options, other);
  }

  ContainerSource source() {
    return ContainerSource.of(location, Opening.writing());
  }

  Shipper open(Communicator world, ContainerSource source) {
    return Shipper.open(world, options, source, new Patience(patience.toNanos()));
  }

  /** Runs a program on the compute ranks of a number of ranks. */
  void run(int ranks, Consumer<ShipperClient> program) {
    run(ranks, UnaryOperator.identity(), program);
  }

  /** Runs a program on the compute ranks, with changed communicators. */
  void run(int ranks, UnaryOperator<Communicator> taps, Consumer<ShipperClient> program) {
    LocalRanks.run(
        ranks,
        world -> {
          try (var shipper = open(taps.apply(world), source())) {
            shipper.client().ifPresent(program);
          }
        });
  }

  int shardOf(Place place) {
    return new ShardMap(shards).shardOf(place);
  }

  static Place tile(long number) {
    return new Place.Tile(7, number);
  }

  static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void put(ShipperClient client, Ticket ticket, Place place, String value) {
    // Not closed after a failure: the test decides what becomes of the transaction.
    var changes = client.changing(ticket).shard(shardOf(place)).change(ticket.number());
    changes.put(place, bytes(value));
    changes.prepare(Durability.BUFFERED);
  }

  Optional<String> get(ShipperClient client, Place place) {
    var context = client.transactions().acquire(VersionChoice.LAST, 0);
    var found =
        client
            .at(context)
            .shard(shardOf(place))
            .get(place, context.transaction(), Arena.ofAuto())
            .map(Setting::text);
    client.transactions().release(context);
    return found;
  }

  static String text(MemorySegment value) {
    return new String(value.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
  }
}
