package io.skerry.integration.scale;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.wire.Exchange;
import io.skerry.iod.connector.store.TileOwners;
import io.skerry.iod.connector.tile.TilePiece;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ShardMap;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.wire.Call;
import io.skerry.iod.shipper.wire.EditList;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.iod.shipper.wire.Position;
import io.skerry.iod.shipper.wire.Result;
import io.skerry.mpi.Reduction;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Simulates the communication of a detector job that writes to a container between two flushes and
 * then reads the data. Every compute rank writes the spots of its frames to a sparse dataset, the
 * tile owners send the tiles to dedicated I/O ranks, and one transaction commits the tiles.
 * Ownership, shards, pieces, batches, messages and transactions use the code that writes
 * containers. Nothing is encoded: the size of a tile is assumed to be that of its pieces.
 */
public final class ContainerJob {
  /** The number of ranks for each I/O rank. */
  static final int RANKS_PER_IO_RANK = 32;

  private static final long SIDE = 1024;
  private static final long TILE = 256;
  private static final int SPOTS = 64;
  private static final int SPOT = 3;

  /** The identifier of the dataset: an array with the number 1024. */
  private static final long DATASET = 1L << 62 | 1024;

  /** The number of words that an agreement of all ranks exchanges. */
  private static final int WORDS = 13;

  /**
   * The number of agreements in a write: one at its start, one before each of two rounds of pieces,
   * and one at its end.
   */
  private static final int WRITE_AGREEMENTS = 4;

  /**
   * The number of agreements in a flush: on its start, on the changes, on the storing of all
   * changes, and on the next ticket.
   */
  private static final int FLUSH_AGREEMENTS = 4;

  /** The number of agreements in a read: one at its start and one at its end. */
  private static final int READ_AGREEMENTS = 2;

  private static final Position AT = new Position(1_000_000, 7);

  private final int framesPerRank;
  private final int framesPerTile;
  private final Placement placement;
  private final ShardMap shards;
  private final TileOwners owners;
  private final List<IoRankLoad> ioRanks;

  /**
   * Prepares a job.
   *
   * @param ranks the number of ranks, including I/O ranks; at least 2
   * @param framesPerRank the number of frames of each compute rank, consecutive in the dataset
   * @param framesPerTile the number of frames in a tile; if it does not divide {@code
   *     framesPerRank}, neighboring ranks share tiles
   */
  public ContainerJob(int ranks, int framesPerRank, int framesPerTile) {
    this.framesPerRank = framesPerRank;
    this.framesPerTile = framesPerTile;
    int serving = Math.max(1, ranks / RANKS_PER_IO_RANK);
    this.placement = new Placement(ranks, serving, Placement.Kind.EVERY_KTH);
    this.shards = new ShardMap(serving);
    this.owners = new TileOwners(placement, shards);
    this.ioRanks = IntStream.range(0, serving).mapToObj(_ -> new IoRankLoad()).toList();
  }

  /** A part of the job whose messages are counted separately. */
  public enum Step {
    /** The agreements of a write, a flush and a read. */
    AGREE,
    /** The exchange of pieces with the owners of the tiles. */
    PIECES,
    /** The calls that store tiles and make them visible. */
    TILES,
    /** The calls with which each rank reads the tiles of its own frames. */
    READ
  }

  /**
   * The load of one compute rank.
   *
   * @param sent messages sent, by step
   * @param received messages received, by step
   * @param owned the number of tiles that the rank owned
   * @param read the number of tiles that the rank read
   */
  public record Figures(
      Map<Step, Traffic> sent, Map<Step, Traffic> received, long owned, long read) {}

  /**
   * The load of one I/O rank.
   *
   * @param sent messages sent
   * @param received messages received
   */
  public record Served(Traffic sent, Traffic received) {}

  /**
   * The result of a job.
   *
   * @param computing the load of each compute rank
   * @param serving the load of each I/O rank
   * @param leading the messages of the commit alone on I/O rank 0, which leads the transactions
   */
  public record Loads(List<Figures> computing, List<Served> serving, Served leading) {
    /** Copies the lists. */
    public Loads {
      computing = List.copyOf(computing);
      serving = List.copyOf(serving);
    }
  }

  /** Returns the number of compute ranks. */
  public int clients() {
    return placement.clients();
  }

  /** Returns the number of I/O ranks. */
  public int servers() {
    return placement.ioRanks();
  }

  /** Runs the job. */
  public Loads run() {
    List<Figures> computing =
        VirtualRanks.call(placement.clients(), world -> new Run(world).figures());
    IoRankLoad leading = CommitTraffic.run(placement, ioRanks);
    return new Loads(
        computing, ioRanks.stream().map(ContainerJob::served).toList(), served(leading));
  }

  private static Served served(IoRankLoad load) {
    return new Served(load.sent(), load.received());
  }

  private static MemorySegment bytes(long size) {
    return MemorySegment.ofArray(new byte[Math.toIntExact(size)]);
  }

  /** The program of one compute rank. */
  private final class Run {
    private final VirtualCommunicator world;
    private final Shape shape;
    private final ChunkGrid grid;
    private final Map<Step, Traffic> sent = new EnumMap<>(Step.class);
    private final Map<Step, Traffic> received = new EnumMap<>(Step.class);
    private Traffic sentBefore = Traffic.NONE;
    private Traffic receivedBefore = Traffic.NONE;
    private long nextId;

    Run(VirtualCommunicator world) {
      this.world = world;
      this.shape = Shape.of((long) world.size() * framesPerRank, SIDE, SIDE);
      this.grid = ChunkGrid.of(new long[] {framesPerTile, TILE, TILE});
    }

    private void end(Step step) {
      add(sent, step, world.sent().since(sentBefore));
      add(received, step, world.received().since(receivedBefore));
      sentBefore = world.sent();
      receivedBefore = world.received();
    }

    private static void add(Map<Step, Traffic> to, Step step, Traffic more) {
      Traffic before = to.getOrDefault(step, Traffic.NONE);
      to.put(step, new Traffic(before.messages() + more.messages(), before.bytes() + more.bytes()));
    }

    private void agree(int times) {
      for (int i = 0; i < times; i++) {
        long[] unused = world.allReduce(new long[WORDS], Reduction.MAX);
      }
      end(Step.AGREE);
    }

    Figures figures() {
      agree(WRITE_AGREEMENTS);
      List<ChunkSlice> slices = grid.cut(spots(), shape);
      Map<Long, Long> owned = new TreeMap<>();
      exchange(slices, owned);
      end(Step.PIECES);
      store(owned);
      agree(FLUSH_AGREEMENTS + READ_AGREEMENTS);
      slices.forEach(slice -> read(number(slice), slice.elements().count() * Short.BYTES));
      return new Figures(sent, received, owned.size(), slices.size());
    }

    private Selection spots() {
      SplittableRandom random = new SplittableRandom(world.rank());
      List<Box> boxes = new ArrayList<>();
      long first = (long) world.rank() * framesPerRank;
      for (int frame = 0; frame < framesPerRank; frame++) {
        for (int spot = 0; spot < SPOTS; spot++) {
          long row = random.nextLong(SIDE - SPOT);
          long column = random.nextLong(SIDE - SPOT);
          boxes.add(
              new Box(
                  new long[] {first + frame, row, column},
                  new long[] {first + frame + 1, row + SPOT, column + SPOT}));
        }
      }
      return Selection.blocks(boxes);
    }

    private long number(ChunkSlice slice) {
      long[] scaled = slice.scaled();
      return (scaled[0] * (SIDE / TILE) + scaled[1]) * (SIDE / TILE) + scaled[2];
    }

    /**
     * Sends the pieces to the owners of their tiles, and adds up the sizes of the tiles that this
     * rank owns.
     */
    private void exchange(List<ChunkSlice> slices, Map<Long, Long> owned) {
      Exchange.Outbox out = new Exchange.Outbox();
      for (ChunkSlice slice : slices) {
        long number = number(slice);
        ByteWriter piece = ByteWriter.create();
        MemorySegment values = bytes(slice.elements().count() * Short.BYTES);
        new TilePiece(slice.scaled(), slice.elements(), new TilePiece.Content.Whole(values))
            .encode(piece);
        out.to(owners.ownerOf(new Place.Tile(DATASET, number)))
            .u64(number)
            .u64(piece.position())
            .bytes(piece.written());
      }
      for (var message : Exchange.deliver(world, out, "pieces of tiles")) {
        while (message.remaining() > 0) {
          long number = message.u63("number");
          long size = message.u63("size");
          message.skip(size);
          owned.merge(number, size, Long::sum);
        }
      }
    }

    /** Sends this rank's tiles to the I/O ranks in batches, and makes them visible. */
    private void store(Map<Long, Long> owned) {
      Map<Integer, EditList> batches = new TreeMap<>();
      owned.forEach((number, size) -> {
        Place place = new Place.Tile(DATASET, number);
        int shard = shards.shardOf(place);
        Optional<MemorySegment> value = Optional.of(bytes(size));
        long needed = EditList.size(place, value);
        if (needed > IoRankLoad.INLINE / 2) {
          call(Step.TILES, shard, new Call.Put(shard, AT, place), value.get(), 0);
          return;
        }
        EditList open = batches.computeIfAbsent(shard, _ -> batch());
        if (!open.hasRoom(needed)) {
          edit(shard, open);
          open = batch();
          batches.put(shard, open);
        }
        open.add(place, value);
      });
      batches.forEach(this::edit);
      owned.keySet().stream()
          .map(number -> shards.shardOf(new Place.Tile(DATASET, number)))
          .distinct()
          .forEach(
              shard -> call(Step.TILES, shard, new Call.Flush(shard, AT), MemorySegment.NULL, 0));
    }

    private static EditList batch() {
      return new EditList(bytes(IoRankLoad.INLINE));
    }

    private void edit(int shard, EditList batch) {
      call(Step.TILES, shard, new Call.Edit(shard, AT), batch.payload(), 0);
    }

    private void read(long number, long size) {
      Place place = new Place.Tile(DATASET, number);
      int shard = shards.shardOf(place);
      call(Step.READ, shard, new Call.Get(shard, AT, place), MemorySegment.NULL, size);
    }

    /**
     * Counts a call and its result.
     *
     * @param size the size of the value that the call returns; 0 if it returns none
     */
    private void call(Step step, int shard, Call call, MemorySegment payload, long size) {
      IoRankLoad rank = ioRanks.get(placement.ownerOf(shard));
      long id = nextId++;
      Traffic request = IoRankLoad.of(new Message.Calling(id, call), payload);
      Result result = size == 0 ? new Result.Done() : new Result.Value();
      MemorySegment value = size == 0 ? MemorySegment.NULL : bytes(size);
      Traffic reply = IoRankLoad.of(new Message.Returning(id, result), value);
      add(sent, step, request);
      add(received, step, reply);
      rank.received(request);
      rank.sent(reply);
    }
  }
}
