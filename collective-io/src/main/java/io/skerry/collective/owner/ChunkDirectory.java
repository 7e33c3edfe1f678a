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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/**
 * Finds the record of each chunk and the owner of its dirty version. Every chunk has an index
 * owner: a rank that is computed from the index leaf that contains the record of the chunk. This
 * object holds this rank's share of all indexes. The number of a leaf does not change when the
 * dataset grows, so its index owner does not change either.
 */
public final class ChunkDirectory {
  private final int rank;
  private final int ranks;
  private final ByteSource source;
  private final Map<Long, ChunkedDataset> datasets =
      new ConcurrentSkipListMap<>(Long::compareUnsigned);
  private final Map<Long, IndexShare> shares = new ConcurrentSkipListMap<>(Long::compareUnsigned);

  /**
   * The shares with proposed owners. A write visits only these shares, since a very large number of
   * datasets may be open.
   */
  private final Set<IndexShare> proposing = new HashSet<>();

  /**
   * The number of bytes that this rank, as an index owner, has assigned to each rank since the last
   * flush.
   */
  private final Map<Integer, Long> assignedBytes = new HashMap<>();

  /**
   * Creates the share of this rank, which has no datasets yet.
   *
   * @param rank this rank
   * @param ranks the size of the communicator
   * @param source the source that reads index blocks of the file independently of other ranks
   */
  public ChunkDirectory(int rank, int ranks, ByteSource source) {
    this.rank = rank;
    this.ranks = ranks;
    this.source = source;
  }

  /** Adds a dataset. All ranks add the same datasets in the same order. */
  public void register(ChunkedDataset dataset) {
    datasets.put(dataset.id(), dataset);
    shares.put(dataset.id(), new IndexShare(dataset, source));
  }

  /** Returns the chunks of a dataset that have a record and whose index owner is this rank. */
  public List<ChunkCoordinates> chunks(ChunkedDataset dataset) {
    long id = dataset.id();
    return share(id).chunks(leaf -> isIndexOwner(id, leaf));
  }

  /** Visits the stored chunks in an area for which this rank is the index owner. */
  public void forEach(GridArea area, BiConsumer<ChunkCoordinates, ChunkRecord> visitor) {
    long id = area.dataset();
    share(id).forEach(Optional.of(area), leaf -> isIndexOwner(id, leaf), visitor);
  }

  /**
   * Returns the index owners of the stored leaves that may have records in an area; none for a
   * single-chunk or implicit index, whose leaves are not stored.
   */
  public SortedSet<Integer> indexOwnersOf(GridArea area) {
    long id = area.dataset();
    SortedSet<Integer> owners = new TreeSet<>();
    switch (dataset(id).index()) {
      case LinearIndex linear ->
          linear
              .storedLeaves(
                  linear.position(area.first().scaled()), linear.position(area.last().scaled()))
              .forEach(leaf -> owners.add(indexOwnerOf(id, leaf)));
      case TreeIndex tree -> owners.add(indexOwnerOf(id, tree.leafOf(area.first().scaled())));
    }
    return owners;
  }

  /** Returns the chunk records of a dataset for which this rank is the index owner. */
  public List<ChunkRecord> records(ChunkedDataset dataset) {
    long id = dataset.id();
    return share(id).records(leaf -> isIndexOwner(id, leaf));
  }

  /** Removes a dataset. All ranks remove the same datasets in the same order. */
  public void drop(ChunkedDataset dataset) {
    datasets.remove(dataset.id());
    shares.remove(dataset.id());
  }

  /**
   * Returns the dataset with the given identity.
   *
   * @throws IllegalStateException if the dataset is not open
   */
  public ChunkedDataset dataset(long id) {
    return Optional.ofNullable(datasets.get(id))
        .orElseThrow(() ->
            new IllegalStateException(
                "a rank names a dataset that is not open here: header=0x" + Long.toHexString(id)));
  }

  /** Returns the number of datasets. */
  public int size() {
    return datasets.size();
  }

  /** Returns all datasets, in the order of their identities. */
  public Iterable<ChunkedDataset> datasets() {
    return datasets.values();
  }

  /** Returns the index owner of a chunk. */
  public int indexOwnerOf(ChunkKey key) {
    return indexOwnerOf(key.dataset(), dataset(key.dataset()).index().leafOf(key.chunk().scaled()));
  }

  /** Returns the index owner of an index leaf. */
  public int indexOwnerOf(long dataset, LeafId leaf) {
    // Pages begin at multiples of a power of two and headers are aligned, so all bits are mixed
    // (finalizer of SplitMix64; Steele, Lea and Flood, "Fast splittable pseudorandom number
    // generators", 2014). Otherwise, one rank could be the index owner of every page.
    long mixed = dataset * 0x9E3779B97F4A7C15L + leaf.first();
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    mixed ^= mixed >>> 31;
    return (int) Long.remainderUnsigned(mixed, ranks);
  }

  /**
   * Returns the record of a chunk whose index owner is this rank; empty if the chunk is not stored.
   */
  public Optional<ChunkRecord> record(ChunkKey key) {
    return share(key).record(key.chunk());
  }

  /**
   * Sets the record of a chunk whose index owner is this rank; an empty record removes the chunk.
   */
  public void update(ChunkKey key, Optional<ChunkRecord> record) {
    share(key).update(key.chunk(), record);
  }

  private IndexShare share(ChunkKey key) {
    return share(key.dataset());
  }

  private IndexShare share(long dataset) {
    return Objects.requireNonNull(shares.get(dataset(dataset).id()));
  }

  /**
   * Chooses the owners of the chunks about which ranks have asked this index owner, and returns the
   * answers. The answer to a rank lists the owners of the chunks in its question, in the same
   * order, followed by the assignments of the chunks that the rank owns.
   *
   * @param asks the questions of the ranks, each a sequence of chunks; each chunk has the number of
   *     bytes of the pieces that the rank has for it
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

  /**
   * Returns the owner of the current dirty version of a chunk. If there is none, chooses the rank
   * that writes the most bytes. Ties are broken by the fewest assigned bytes, and then by the
   * lowest rank.
   */
  private int chooseOwner(ChunkKey key, List<Assignment.Writer> writers) {
    IndexShare share = share(key);
    Optional<Integer> present = share.dirtyOwner(key.chunk());
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
    share.proposeOwner(key.chunk(), best.rank());
    proposing.add(share);
    return best.rank();
  }

  private long assigned(Assignment.Writer writer) {
    return assignedBytes.getOrDefault(writer.rank(), 0L);
  }

  /** Makes the proposed owners final. From now on, these ranks hold the dirty versions. */
  public void acceptOwners() {
    proposing.forEach(IndexShare::acceptProposals);
    proposing.clear();
  }

  /** Discards the proposed owners after a failed write: the previous owners remain. */
  public void dropOwners() {
    proposing.forEach(IndexShare::dropProposals);
    proposing.clear();
  }

  /**
   * Removes all owners. Called when no rank has a dirty chunk. Even then, owners may still be
   * recorded for chunks that they have written in place.
   */
  public void forgetOwners() {
    shares.values().forEach(IndexShare::forgetOwners);
  }

  /** Appends the changes to this rank's leaves in the form that {@link TouchedLeaves} decodes. */
  public void announceTouched(ByteWriter out) {
    shares.forEach((id, share) -> {
      for (LeafId leaf : share.touched()) {
        out.u64(id).u64(leaf.first()).u64(share.positionsUsed());
        switch (dataset(id).index()) {
          case SingleChunkIndex single ->
              RecordMessage.write(share.leaf(single, leaf).getFirst(), out);
          case TreeIndex tree -> TouchedLeaves.write(share.treeChange(tree), out);
          case LinearIndex _ -> {}
        }
      }
    });
  }

  /** Returns whether this rank is the index owner of a leaf. */
  public boolean isIndexOwner(long dataset, LeafId leaf) {
    return indexOwnerOf(dataset, leaf) == rank;
  }

  /** Returns the records in a leaf whose index owner is this rank. */
  public List<Optional<ChunkRecord>> leafRecords(long dataset, LinearIndex index, LeafId leaf) {
    return share(dataset).leaf(index, leaf);
  }

  /**
   * Encodes the blocks of a changed tree whose index owner is this rank. The change takes effect
   * when {@link #stored} ends the flush.
   */
  public List<BlockImage> encodeTree(long dataset, TreeCommit commit) {
    return share(dataset).encodeTree(commit);
  }

  /**
   * Ends a flush that has stored all changes.
   *
   * @param committed the action that installs the new index of the dataset with the given identity
   */
  public void stored(LongConsumer committed) {
    shares.forEach((id, share) -> share.stored(() -> committed.accept(id)));
    assignedBytes.clear();
  }
}
