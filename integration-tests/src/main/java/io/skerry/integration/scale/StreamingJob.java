package io.skerry.integration.scale;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.collective.alloc.Placement;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.owner.ChunkDirectory;
import io.skerry.collective.owner.Ownership;
import io.skerry.collective.owner.RoundPlan;
import io.skerry.collective.owner.TouchedLeaves;
import io.skerry.collective.plan.PieceCodec;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.collective.wire.RecordMessage;
import io.skerry.datatype.Datatype;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.index.ChunkIndexes;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.mpi.Reduction;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Simulates the communication of a detector job between two flushes: every rank writes the spots of
 * its frames to a sparse dataset, and all chunks are stored. Planning, ownership, allocation, the
 * messages to the index owners and the new index use the code that writes files. Values are only
 * sent to the chunk owners, and nothing is encoded: the size of a chunk is assumed to be that of
 * its pieces.
 */
public final class StreamingJob {
  private static final long SIDE = 1024;
  private static final long CHUNK = 256;
  private static final int SPOTS = 64;
  private static final int SPOT = 3;
  private static final int TAG = 1;
  private static final long DATASET = 4096;

  private final int ranks;
  private final int framesPerRank;
  private final int framesPerChunk;

  /**
   * Prepares a job.
   *
   * @param ranks the number of ranks
   * @param framesPerRank the number of frames of each rank, consecutive in the dataset
   * @param framesPerChunk the number of frames in a chunk; if it does not divide {@code
   *     framesPerRank}, neighboring ranks share chunks
   */
  public StreamingJob(int ranks, int framesPerRank, int framesPerChunk) {
    this.ranks = ranks;
    this.framesPerRank = framesPerRank;
    this.framesPerChunk = framesPerChunk;
  }

  /** A part of the job whose messages are counted separately. */
  public enum Step {
    /** The choice of chunk owners and of the number of rounds, and the agreement on the write. */
    OWNERS,
    /** The exchange of pieces with the chunk owners. */
    PIECES,
    /** The allocation of chunks. */
    PLACES,
    /** The messages that carry the new addresses to the index owners. */
    RECORDS,
    /** The announcement of the new index to all ranks. */
    INDEX
  }

  /**
   * The load of one rank.
   *
   * @param sent messages sent, by step
   * @param received messages received, by step
   * @param encoded the total size, in bytes, of the chunks that the rank owned
   * @param written the number of chunks of which the rank had pieces
   * @param owned the number of chunks that the rank owned
   * @param homed the number of chunks of which the rank was the index owner
   * @param leaves the number of index leaves that were announced to the rank
   */
  public record Figures(
      Map<Step, Traffic> sent,
      Map<Step, Traffic> received,
      long encoded,
      long written,
      long owned,
      long homed,
      long leaves) {
    /**
     * Returns the number of chunks about which the rank received information, counted once for each
     * role of the rank: writer, owner and index owner.
     */
    public long records() {
      return written + owned + homed;
    }
  }

  /** Returns the number of chunks in the grid; some may contain no spot. */
  public long chunks() {
    long perFrame = (SIDE / CHUNK) * (SIDE / CHUNK);
    return Math.ceilDiv((long) ranks * framesPerRank, framesPerChunk) * perFrame;
  }

  /**
   * The result of a job.
   *
   * @param figures the load of each rank
   * @param heapPerRank the average heap usage of a rank in bytes, after the index was announced and
   *     before any memory was released
   */
  public record Result(List<Figures> figures, long heapPerRank) {
    /** Copies the list. */
    public Result {
      figures = List.copyOf(figures);
    }
  }

  /** Runs the job. */
  public Result run() {
    HeapMeter meter = new HeapMeter(ranks);
    List<Figures> figures = VirtualRanks.call(ranks, world -> new Run(world).figures(meter));
    return new Result(figures, meter.perRank());
  }

  private Shape shape() {
    return Shape.of((long) ranks * framesPerRank, SIDE, SIDE).unlimited(0);
  }

  private ChunkedDataset dataset() {
    Shape shape = shape();
    long[] chunk = {framesPerChunk, CHUNK, CHUNK};
    ChunkedLayout layout = ChunkedLayout.sparse(shape, Shape.of(chunk), 2, Filtering.UNFILTERED);
    return new ChunkedDataset(
        DATASET,
        "/frames",
        shape,
        SparseChunkFormat.of(chunk, Datatype.U16),
        ChunkIndexes.create(layout, shape, Filtering.UNFILTERED, Widths.EIGHT));
  }

  /** The program of one rank. */
  private final class Run {
    private final VirtualCommunicator world;
    private final ChunkedDataset dataset = dataset();
    private final ChunkDirectory directory;
    private final LocalStatus status = new LocalStatus();
    private final SpaceAllocator space = SpaceAllocator.startingAt(4096);
    private final Map<Step, Traffic> sent = new TreeMap<>();
    private final Map<Step, Traffic> received = new TreeMap<>();
    private Traffic sentBefore = Traffic.NONE;
    private Traffic receivedBefore = Traffic.NONE;
    private long homed;

    Run(VirtualCommunicator world) {
      this.world = world;
      this.directory = new ChunkDirectory(world.rank(), world.size(), new NoFile());
      directory.register(dataset);
    }

    private void end(Step step) {
      sent.put(step, world.sent().since(sentBefore));
      received.put(step, world.received().since(receivedBefore));
      sentBefore = world.sent();
      receivedBefore = world.received();
    }

    Figures figures(HeapMeter meter) {
      WritePlan plan = WritePlan.of(List.of(spots()));
      Ownership found = Ownership.settle(world, directory, plan, status);
      RoundPlan rounds = new RoundPlan(List.copyOf(found.work().values()), Long.MAX_VALUE);
      // Represents the agreement of the ranks on a write; the actual agreement exchanges 13 words.
      long[] unused = world.allReduce(new long[10], Reduction.MAX);
      end(Step.OWNERS);
      movePieces(plan, found, rounds);
      end(Step.PIECES);
      long[] sizes = found.work().values().stream().mapToLong(Run::bytes).toArray();
      Placement placement = Placement.of(world, SpaceAllocator.Use.DATA, sizes, 0, space);
      end(Step.PLACES);
      tellHomes(found, placement, sizes);
      end(Step.RECORDS);
      long leaves = commitIndex();
      end(Step.INDEX);
      status
          .failure()
          .ifPresent(failure -> {
            throw failure;
          });
      meter.meet();
      long encoded = 0;
      for (Assignment chunk : found.work().values()) {
        encoded += bytes(chunk);
      }
      return new Figures(
          sent, received, encoded, plan.chunks().size(), found.work().size(), homed, leaves);
    }

    private static long bytes(Assignment chunk) {
      return chunk.writers().stream().mapToLong(Assignment.Writer::bytes).sum();
    }

    private WriteRequest spots() {
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
      Selection selection = Selection.blocks(boxes);
      long bytes = selection.count(dataset.shape()) * Short.BYTES;
      return WriteRequest.values(
          dataset, selection, MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]));
    }

    /**
     * Exchanges messages of the same sizes as the pieces; the content of the messages is not used.
     */
    private void movePieces(WritePlan plan, Ownership found, RoundPlan rounds) {
      SortedMap<Integer, Long> outgoing = new TreeMap<>();
      found
          .owners()
          .forEach((key, owner) -> {
            if (owner != world.rank()) {
              outgoing.merge(owner, bytes(plan, key), Long::sum);
            }
          });
      try (Arena arena = Arena.ofConfined()) {
        outgoing.forEach((owner, bytes) -> world.send(arena.allocate(bytes), owner, TAG));
        rounds
            .incoming(0)
            .forEach((writer, bytes) -> {
              if (writer != world.rank()) {
                var unused = world.receive(arena.allocate(bytes), writer, TAG);
              }
            });
      }
    }

    private static long bytes(WritePlan plan, ChunkKey key) {
      return plan.chunks().getOrDefault(key, List.of()).stream().mapToLong(PieceCodec::bytes).sum();
    }

    private void tellHomes(Ownership found, Placement placement, long[] sizes) {
      Exchange.Outbox letters = new Exchange.Outbox();
      int next = 0;
      for (ChunkKey key : found.work().keySet()) {
        ByteWriter letter = letters.to(directory.indexOwnerOf(key));
        key.encode(letter);
        SectionTable sections = sections(sizes[next]);
        RecordMessage.write(
            Optional.of(new ChunkRecord(placement.addresses()[next], sections)), letter);
        next++;
      }
      for (ByteReader letter : Exchange.deliver(world, letters, "chunk records")) {
        while (letter.remaining() > 0) {
          ChunkKey key = ChunkKey.decode(letter);
          directory.update(key, RecordMessage.read(letter));
          homed++;
        }
      }
    }

    /** Returns the table of the two sections of a chunk: locations and values. */
    private static SectionTable sections(long bytes) {
      return new SectionTable(bytes, new long[] {bytes / 2}, new long[0], new int[0]);
    }

    /** Commits the index, and returns the number of leaves that are announced to all ranks. */
    private long commitIndex() {
      // The announcement of freed blocks is empty.
      Exchange.Inbox freed = Exchange.allGatherSparse(world, ByteWriter.create(), "freed blocks");
      ByteWriter mine = ByteWriter.create();
      directory.announceTouched(mine);
      TouchedLeaves touched =
          new TouchedLeaves(
              Exchange.allGatherSparse(world, mine, "touched leaves"), directory::dataset);
      TouchedLeaves.Changes changes = Objects.requireNonNull(touched.datasets().get(DATASET));
      LinearIndex index = (LinearIndex) dataset.index();
      int leaves = index.commit(changes.leaves(), changes.positionsUsed(), space).leaves().size();
      return leaves + freed.senders().size();
    }
  }

  /** The source of a file without stored chunks. */
  private static final class NoFile implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      throw new IllegalStateException("nothing is stored: address=" + address);
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public String name() {
      return "no file";
    }
  }
}
