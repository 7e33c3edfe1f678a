package io.skerry.collective;

import io.skerry.collective.commit.Commit;
import io.skerry.collective.dataset.ContiguousDataset;
import io.skerry.collective.write.ContiguousWriter;
import io.skerry.collective.write.IndependentWriter;
import io.skerry.format.block.BlockImage;
import java.util.List;
import java.util.function.Supplier;

/**
 * Writes elements of contiguous datasets, and the blocks of new objects, which contain elements or
 * metadata such as heaps.
 */
public final class RawBlocks {
  private final OpenState state;
  private final FileSteps steps;
  private final Commit commit;
  private final NewSpaceWriter newSpace;
  private final ContiguousWriter contiguous;
  private final IndependentWriter independent;

  RawBlocks(
      OpenState state,
      FileSteps steps,
      Commit commit,
      NewSpaceWriter newSpace,
      ContiguousWriter contiguous,
      IndependentWriter independent) {
    this.state = state;
    this.steps = steps;
    this.commit = commit;
    this.newSpace = newSpace;
    this.contiguous = contiguous;
    this.independent = independent;
  }

  /**
   * Writes elements of a contiguous dataset; each rank has its own part. The elements are in the
   * file when the call returns, and are durable after the next flush. Collective.
   *
   * @param dataset the dataset; its address is taken from the prepared write
   * @param mine a supplier of the prepared write of this rank; if it fails on one rank, the write
   *     fails on all ranks
   */
  public void write(ContiguousDataset dataset, Supplier<ContiguousDataset.Write> mine) {
    steps.write(dataset.name(), () -> contiguous.write(dataset, mine));
  }

  /**
   * Writes elements of a contiguous dataset whose block is allocated. The caller must exclude other
   * accesses to the dataset on this rank. Local; any thread.
   *
   * @throws IllegalStateException if the file cannot be changed, or if the dataset has no block
   *     yet; in these cases, nothing is written
   */
  public void writeIndependently(ContiguousDataset dataset, Supplier<ContiguousDataset.Part> part) {
    state.checkWritable();
    independent.write(dataset, part);
  }

  /**
   * Writes blocks into space to which nothing in the file refers yet. The blocks are durable after
   * the next flush. Collective.
   *
   * @param blocks the blocks of this rank
   */
  public void store(String subject, List<BlockImage> blocks) {
    store(subject, () -> blocks);
  }

  /**
   * Writes blocks into space to which nothing in the file refers yet. The blocks are durable after
   * the next flush. Collective.
   *
   * @param blocks a supplier of the blocks of this rank; if it fails on one rank, the call fails on
   *     all ranks
   */
  public void store(String subject, Supplier<List<BlockImage>> blocks) {
    newSpace.write(subject, "(blocks)", blocks, List.of(), commit::write);
  }
}
