package io.skerry.collective.owner;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.wire.Exchange;
import io.skerry.collective.wire.RecordMessage;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.SingleChunkIndex;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.index.api.TreeCommit;
import io.skerry.format.index.api.TreeIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/**
 * Where each chunk's record lives and who owns its dirty version. Every chunk has a home rank,
 * found by arithmetic from the index leaf that holds its record; this object is one rank's share. A
 * leaf never changes its number when the dataset grows, so a home never moves.
 */
public final class ChunkDirectory {
  private final int rank;
  private final int ranks;
  private final ByteSource source;
  private final Map<Long, ChunkedDataset> datasets =
      new ConcurrentSkipListMap<>(Long::compareUnsigned);
  private final Map<Long, IndexShare> homes = new ConcurrentSkipListMap<>(Long::compareUnsigned);

  /** Bytes that this rank, as a home, has given to others since the last flush. */
  private final Map<Integer, Long> assignedBytes = new HashMap<>();

  /**
   * @param rank this rank
   * @param ranks size of the communicator
   * @param source reads index blocks of the file, independently of other ranks
   */
  public ChunkDirectory(int rank, int ranks, ByteSource source) {
    this.rank = rank;
    this.ranks = ranks;
    this.source = source;
  }

  /** Makes a dataset known; all ranks do so in the same order. */
  public void register(ChunkedDataset dataset) {
    datasets.put(dataset.id(), dataset);
    homes.put(dataset.id(), new IndexShare(dataset, source));
  }

  /** The chunks of a dataset with a record at home here. */
  public List<ChunkCoordinates> chunks(ChunkedDataset dataset) {
    long id = dataset.id();
    return home(id).chunks(leaf -> isIndexOwner(id, leaf));
  }

  /** Visits the chunks of an area that are at home here, with their records. */
  public void forEach(GridArea area, BiConsumer<ChunkCoordinates, ChunkRecord> visitor) {
    long id = area.dataset();
    home(id).forEach(Optional.of(area), leaf -> isIndexOwner(id, leaf), visitor);
  }

  /** The ranks at which records of an area are at home, as far as they are stored. */
  public SortedSet<Integer> indexOwnersOf(GridArea area) {
    long id = area.dataset();
    SortedSet<Integer> homes = new TreeSet<>();
    switch (dataset(id).index()) {
      case LinearIndex linear ->
          linear
              .storedLeaves(
                  linear.position(area.first().scaled()), linear.position(area.last().scaled()))
              .forEach(leaf -> homes.add(indexOwnerOf(id, leaf)));
      case TreeIndex tree -> homes.add(indexOwnerOf(id, tree.leafOf(area.first().scaled())));
    }
    return homes;
  }

  /** The records of a dataset at home here. */
  public List<ChunkRecord> records(ChunkedDataset dataset) {
    long id = dataset.id();
    return home(id).records(leaf -> isIndexOwner(id, leaf));
  }

  /** Forgets a dataset; all ranks do so in the same order. */
  public void drop(ChunkedDataset dataset) {
    datasets.remove(dataset.id());
    homes.remove(dataset.id());
  }

  /** The dataset with that identity. */
  public ChunkedDataset dataset(long id) {
    return Optional.ofNullable(datasets.get(id))
        .orElseThrow(() ->
            new IllegalStateException(
                "a rank names a dataset that is not open here: header=0x" + Long.toHexString(id)));
  }

  /** Number of datasets. */
  public int size() {
    return datasets.size();
  }

  /** All datasets, by identity. */
  public Iterable<ChunkedDataset> datasets() {
    return datasets.values();
  }

  /** The home rank of a chunk. */
  public int indexOwnerOf(ChunkKey key) {
    return indexOwnerOf(key.dataset(), dataset(key.dataset()).index().leafOf(key.chunk().scaled()));
  }

  /** The home rank of an index leaf. */
  public int indexOwnerOf(long dataset, LeafId leaf) {
    // Pages begin at multiples of a power of two and headers are aligned, so all bits are mixed
    // (the finaliser of SplitMix64); else every page would have its home on the same rank.
    long mixed = dataset * 0x9E3779B97F4A7C15L + leaf.first();
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    mixed ^= mixed >>> 31;
    return (int) Long.remainderUnsigned(mixed, ranks);
  }

  /** The record of a chunk whose home is this rank. */
  public Optional<ChunkRecord> record(ChunkKey key) {
    return home(key).record(key.chunk());
  }

  /** Notes a new record, or that the chunk is gone; this rank is its home. */
  public void update(ChunkKey key, Optional<ChunkRecord> record) {
    home(key).update(key.chunk(), record);
  }

  private IndexShare home(ChunkKey key) {
    return home(key.dataset());
  }

  private IndexShare home(long dataset) {
    return Objects.requireNonNull(homes.get(dataset(dataset).id()));
  }

  /**
   * Answers what the ranks ask about chunks at home here: per asked chunk its owner, in the order
   * of the questions, then to each owner its assignments.
   *
   * @param asks of some ranks, each a chunk and the bytes of the pieces for it, repeatedly
   */
  public Exchange.Outbox answer(Exchange.Inbox asks) {
    Map<ChunkKey, List<Assignment.Writer>> wanted = new TreeMap<>();
    SortedMap<Integer, List<ChunkKey>> order = new TreeMap<>();
    for (int source : asks.senders()) {
      ByteReader ask = asks.from(source);
      List<ChunkKey> keys = new ArrayList<>();
      while (ask.remaining() > 0) {
        ChunkKey key = ChunkKey.decode(ask);
        wanted
            .computeIfAbsent(key, k -> new ArrayList<>(1))
            .add(new Assignment.Writer(source, ask.i64()));
        keys.add(key);
      }
      order.put(source, keys);
    }
    Map<ChunkKey, Integer> owners = new TreeMap<>();
    wanted.forEach((key, writers) -> owners.put(key, chooseOwner(key, writers)));

    Exchange.Outbox out = new Exchange.Outbox();
    order.forEach((source, keys) ->
        keys.forEach(key -> out.to(source).u32(Objects.requireNonNull(owners.get(key)))));
    wanted.forEach((key, writers) ->
        new Assignment(key, record(key), writers)
            .encode(out.to(Objects.requireNonNull(owners.get(key)))));
    return out;
  }

  /** The present dirty owner; else who writes most, of equals the least loaded, then the lowest. */
  private int chooseOwner(ChunkKey key, List<Assignment.Writer> writers) {
    IndexShare home = home(key);
    Optional<Integer> present = home.dirtyOwner(key.chunk());
    if (present.isPresent()) {
      return present.get();
    }
    Assignment.Writer best = writers.getFirst();
    for (Assignment.Writer writer : writers) {
      boolean more = writer.bytes() > best.bytes();
      boolean lessLoaded = writer.bytes() == best.bytes() && assigned(writer) < assigned(best);
      if (more || lessLoaded) {
        best = writer;
      }
    }
    assignedBytes.merge(best.rank(), best.bytes(), Long::sum);
    home.proposeOwner(key.chunk(), best.rank());
    return best.rank();
  }

  private long assigned(Assignment.Writer writer) {
    return assignedBytes.getOrDefault(writer.rank(), 0L);
  }

  /** The owners named since the last decision hold dirty versions from now on. */
  public void acceptOwners() {
    homes.values().forEach(IndexShare::acceptProposals);
  }

  /** The write failed: who owned what before still does. */
  public void dropOwners() {
    homes.values().forEach(IndexShare::dropProposals);
  }

  /**
   * No rank holds anything dirty: who owns a chunk is open again. Owners may be known even then, of
   * chunks that they wrote in place.
   */
  public void forgetOwners() {
    homes.values().forEach(IndexShare::forgetOwners);
  }

  /** Appends what this rank's leaves contribute to the commit, for {@link TouchedLeaves}. */
  public void announceTouched(ByteWriter out) {
    homes.forEach((id, home) -> {
      for (LeafId leaf : home.touched()) {
        out.u64(id).u64(leaf.first()).u64(home.positionsUsed());
        switch (dataset(id).index()) {
          case SingleChunkIndex single ->
              RecordMessage.write(home.leaf(single, leaf).getFirst(), out);
          case TreeIndex tree -> TouchedLeaves.write(home.treeChange(tree), out);
          case LinearIndex _ -> {}
        }
      }
    });
  }

  /** Returns whether this rank is the home of that leaf. */
  public boolean isIndexOwner(long dataset, LeafId leaf) {
    return indexOwnerOf(dataset, leaf) == rank;
  }

  /** The records in a leaf at home here. */
  public List<Optional<ChunkRecord>> leafRecords(long dataset, LinearIndex index, LeafId leaf) {
    return home(dataset).leaf(index, leaf);
  }

  /** The blocks of a changed tree at home here; they count when the flush is {@link #stored}. */
  public List<BlockImage> encodeTree(long dataset, TreeCommit commit) {
    return home(dataset).encodeTree(commit);
  }

  /**
   * A flush has stored everything.
   *
   * @param committed takes the new index of a dataset
   */
  public void stored(LongConsumer committed) {
    homes.forEach((id, home) -> home.stored(() -> committed.accept(id)));
    assignedBytes.clear();
  }
}
