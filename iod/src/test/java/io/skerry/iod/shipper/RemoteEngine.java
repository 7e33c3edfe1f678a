package io.skerry.iod.shipper;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerAccess;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Snapshots;
import io.skerry.iod.rocksdb.RocksProvider;
import io.skerry.iod.shipper.option.Protocol;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * An engine whose containers are served by other ranks. Rank 0 uses it; all other ranks call {@link
 * #serve}, which opens and closes the same containers as rank 0.
 */
final class RemoteEngine implements EngineProvider {
  private static final int TAG = 1;
  private static final int LONGEST = 4096;

  private final Communicator world;
  private final ShipperOptions options;
  private final EngineProvider engine = new RocksProvider();
  private final Map<Integer, Shipper> open = new HashMap<>();
  private int next;

  RemoteEngine(Communicator world, ShipperOptions options) {
    this.world = world;
    this.options = options.with(Protocol.DIRECT);
  }

  private void command(String text) {
    var bytes = MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    for (int rank = 1; rank < world.size(); rank++) {
      world.send(bytes, rank, TAG);
    }
  }

  /** Serves until rank 0 calls {@link #end}. */
  void serve() {
    var buffer = MemorySegment.ofArray(new byte[LONGEST]);
    Request request = world.receiveLater(buffer, 0, TAG);
    while (true) {
      if (!request.done()) {
        open.values().forEach(Shipper::progress);
        LockSupport.parkNanos(20_000);
        continue;
      }
      byte[] bytes = buffer.asSlice(0, request.await().bytes()).toArray(ValueLayout.JAVA_BYTE);
      String[] words = new String(bytes, StandardCharsets.UTF_8).split("\n");
      switch (words[0]) {
        case "open" -> {
          var location = EngineLocation.of(words[1]);
          var access = ContainerAccess.valueOf(words[2]);
          Optional<String> snapshot = words.length > 3 ? Optional.of(words[3]) : Optional.empty();
          var opening =
              new Opening(access, Optional.empty(), snapshot, Opening.writing().options());
          int number = next++;
          try {
            open.put(number, shipper(location, opening));
          } catch (RuntimeException e) {
            // Rank 0 throws the same exception to the test.
          }
        }
        case "close" -> open.remove(Integer.parseInt(words[1])).close();
        default -> {
          return;
        }
      }
      request = world.receiveLater(buffer, 0, TAG);
    }
  }

  private Shipper shipper(EngineLocation location, Opening opening) {
    return Shipper.open(world, options, ContainerSource.of(location, opening));
  }

  /** Ends the other ranks. */
  void end() {
    for (int number : List.copyOf(open.keySet())) {
      close(number);
    }
    command("end");
  }

  private void close(int number) {
    command("close\n" + number);
    open.remove(number).close();
  }

  @Override
  public String scheme() {
    return engine.scheme();
  }

  @Override
  public ContainerInfo create(EngineLocation location, int shards) {
    return engine.create(location, shards);
  }

  @Override
  public boolean isTaken(EngineLocation location) {
    return engine.isTaken(location);
  }

  @Override
  public long bytes(EngineLocation location) {
    return engine.bytes(location);
  }

  @Override
  public void move(EngineLocation from, EngineLocation to) {
    engine.move(from, to);
  }

  @Override
  public EngineLocation beside(EngineLocation location, String suffix) {
    return engine.beside(location, suffix);
  }

  @Override
  public boolean isInFileSystem() {
    return engine.isInFileSystem();
  }

  @Override
  public ContainerInfo info(EngineLocation location) {
    return engine.info(location);
  }

  @Override
  public Container open(EngineLocation location, Opening opening) {
    if (opening.shards().isPresent()) {
      // The shards of a served container are those of its I/O ranks, so this one is local.
      return engine.open(location, opening);
    }
    var words = new ArrayList<>(List.of("open", location.toString(), opening.access().name()));
    opening.snapshot().ifPresent(words::add);
    command(String.join("\n", words));
    int number = next++;
    var shipper = shipper(location, opening);
    open.put(number, shipper);
    return new Closing(shipper.client().orElseThrow().container(), number);
  }

  /** A container that closes its shipper. */
  private final class Closing implements Container {
    private final Container container;
    private final int number;

    Closing(Container container, int number) {
      this.container = container;
      this.number = number;
    }

    @Override
    public EngineLocation location() {
      return container.location();
    }

    @Override
    public ContainerInfo info() {
      return container.info();
    }

    @Override
    public Set<Integer> served() {
      return container.served();
    }

    @Override
    public Shard shard(int shard) {
      return container.shard(shard);
    }

    @Override
    public long readableMark() {
      return container.readableMark();
    }

    @Override
    public boolean advance(long expected, long to) {
      return container.advance(expected, to);
    }

    @Override
    public Snapshots snapshots() {
      return container.snapshots();
    }

    @Override
    public void close() {
      if (open.containsKey(number)) {
        container.close();
        RemoteEngine.this.close(number);
      }
    }
  }

  @Override
  public void remove(EngineLocation location) {
    engine.remove(location);
  }
}
