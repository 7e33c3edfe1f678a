package io.skerry.iod.engine.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PurgedException;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard.ValueCheck;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests the order of reads and purges in a shard. */
class AbstractShardTest {
  private static final long PURGED = 9;
  private static final Place PLACE = new Place.ScratchPad(1);

  /** An empty shard, of which a transaction is purged while a read ends. */
  private static final class PurgedDuringRead extends AbstractShard<AbstractChanges> {
    PurgedDuringRead() {
      super(0, "run", 0);
    }

    @Override
    protected long currentOldest(long known) {
      purge(PURGED);
      return known;
    }

    @Override
    public void requireWriting() {}

    @Override
    public long mark() {
      return PURGED;
    }

    @Override
    protected boolean hasChanges(long transaction) {
      return false;
    }

    @Override
    protected AbstractChanges begin(long transaction) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void drop(long first, long last) {}

    @Override
    protected boolean removeHidden(long transaction) {
      return true;
    }

    @Override
    protected VersionReads reads() {
      return new NoVersions();
    }

    @Override
    public void persist() {}

    @Override
    public List<Long> transactions() {
      return List.of();
    }

    @Override
    public void verify(Consumer<String> findings) {}

    @Override
    protected void closeStore() {}
  }

  /** Reads of a shard without versions. */
  private static final class NoVersions implements AbstractShard.VersionReads {
    @Override
    public Optional<Version> find(Place place, long transaction) {
      return Optional.empty();
    }

    @Override
    public Optional<MemorySegment> get(
        Place place, long transaction, ValueCheck check, SegmentAllocator memory, Runnable found) {
      found.run();
      return Optional.empty();
    }

    @Override
    public Page<Version> list(Range range, long transaction, PageLimit limit) {
      return Page.last(List.of());
    }

    @Override
    public Page<Entry> scan(
        Range range, long transaction, PageLimit limit, SegmentAllocator memory) {
      return Page.last(List.of());
    }

    @Override
    public Page<Version> history(Optional<Version> after, PageLimit limit) {
      return Page.last(List.of());
    }
  }

  @Test
  void a_read_during_a_purge_is_refused_and_does_not_undo_the_purge() {
    try (PurgedDuringRead shard = new PurgedDuringRead()) {
      shard.recover(PURGED);
      assertThrows(PurgedException.class, () -> shard.find(PLACE, PURGED - 1));
      assertEquals(PURGED, shard.oldest());
    }
  }
}
