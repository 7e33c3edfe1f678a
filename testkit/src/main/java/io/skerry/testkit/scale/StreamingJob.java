package io.skerry.testkit.scale;

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
 * What a detector's job asks of a rank between two flushes, as far as ranks have to do with each
 * other: every rank writes spots of its frames into a sparse dataset, and all chunks are stored.
 * Planning, ownership, allocation, the letters to the homes and the new index are the code that
 * files are written with; only the values do not travel further than to the owners, and nothing is
 * encoded: a chunk is taken to be as long as the pieces that come for it.
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
   * @param ranks how many
   * @param framesPerRank frames that each writes, one after the other in the dataset
   * @param framesPerChunk frames that share a chunk; if not 1, neighbours share chunks
   */
  public StreamingJob(int ranks, int framesPerRank, int framesPerChunk) {
    this.ranks = ranks;
    this.framesPerRank = framesPerRank;
    this.framesPerChunk = framesPerChunk;
  }

  /** Part of the job that is counted for itself. */
  public enum Step {
    /** Who owns which chunk, and in how many rounds. */
    OWNERS,
    /** Pieces to the owners. */
    PIECES,
    /** Addresses of the chunks. */
    PLACES,
    /** Where each chunk is now, to its home. */
    RECORDS,
    /** What all have to know of the index. */
    INDEX
  }

  /**
   * What one rank had to do with others.
   *
   * @param sent by step
   * @param received by step
   * @param encoded bytes of the chunks that it owned
   * @param written chunks that it had pieces for
   * @param owned chunks that it owned
   * @param homed chunks whose home it was
   * @param leaves of the index that it heard of
   */
  public record Figures(
      Map<Step, Traffic> sent,
      Map<Step, Traffic> received,
      long encoded,
      long written,
      long owned,
      long homed,
      long leaves) {
    /** Records of chunks that it heard of. */
    public long records() {
      return written + owned + homed;
    }
  }

  /** Chunks that there are; spots may miss one. */
  public long chunks() {
    long perFrame = (SIDE / CHUNK) * (SIDE / CHUNK);
    return Math.ceilDiv((long) ranks * framesPerRank, framesPerChunk) * perFrame;
  }

  /**
   * What came of it.
   *
   * @param figures by rank
   * @param heapPerRank bytes that a rank holds when the index is known and nothing given up yet
   */
  public record Result(List<Figures> figures, long heapPerRank) {
    /** Takes a copy of the list. */
    public Result {
      figures = List.copyOf(figures);
    }
  }

  /** Runs it. */
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

  /** One rank. */
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
      // The agreement of a write: a status, an operation, a number, and five words.
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

    /** As many bytes as the pieces have, since nobody looks at them. */
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

    /** Places and values. */
    private static SectionTable sections(long bytes) {
      return new SectionTable(bytes, new long[] {bytes / 2}, new long[0], new int[0]);
    }

    /** Gives the number of leaves that all hear of. */
    private long commitIndex() {
      // Which blocks have become free: none have.
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

  /** Nothing was stored before. */
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
