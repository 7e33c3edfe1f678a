package io.skerry.integration.matrix;

import io.skerry.integration.matrix.pattern.CompoundPatterns;
import io.skerry.integration.matrix.pattern.EdgePatterns;
import io.skerry.integration.matrix.pattern.FillPatterns;
import io.skerry.integration.matrix.pattern.GrowthPatterns;
import io.skerry.integration.matrix.pattern.PlanePatterns;
import io.skerry.integration.matrix.pattern.Scenario;
import io.skerry.integration.matrix.pattern.SolidPatterns;
import io.skerry.integration.matrix.pattern.Trait;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The selections of the ranks in a dataset, and the chunk grid of the dataset. Sizes grow with the
 * number of ranks, as in the tests of the C library.
 */
public enum SelectionPattern {
  /** The dataset is one chunk; each rank has some of its rows. */
  ONE_CHUNK(PlanePatterns::oneChunk),
  /** Each rank has whole chunks of its own. */
  SEPARATE_CHUNKS(PlanePatterns::separateChunks),
  /** Each rank has parts of chunks that no other rank accesses. */
  PARTS_OF_SEPARATE_CHUNKS(PlanePatterns::partsOfSeparateChunks),
  /** Each rank has a row of every chunk. */
  SHARED_CHUNKS(PlanePatterns::sharedChunks),
  /** The selections of the ranks overlap; the highest rank takes precedence. */
  SAME_ELEMENTS(PlanePatterns::sameElements),
  /** The last rank selects nothing. */
  ONE_RANK_WITHOUT_SELECTION(PlanePatterns::oneRankWithout),
  /** No rank selects anything. */
  NO_RANK_WITH_SELECTION(PlanePatterns::allRanksWithout),
  /** Points out of order, some of them twice. */
  POINTS(PlanePatterns::points),
  /** The elements of each row are assigned to the ranks in turn. */
  INTERLEAVED(PlanePatterns::interleaved),
  /** Each rank accesses its block column by column. */
  TRANSPOSED(PlanePatterns::transposed),
  /** The file stores integers; memory holds floating-point numbers in the opposite byte order. */
  CONVERTED(PlanePatterns::converted, Trait.CONVERTS),
  /** One dimension grows between writes; each chunk belongs to one rank. */
  ONE_UNLIMITED_SEPARATE(GrowthPatterns::oneUnlimitedSeparate, Trait.GROWS),
  /** One dimension grows between writes; all ranks have a part of every chunk. */
  ONE_UNLIMITED_SHARED(GrowthPatterns::oneUnlimitedShared, Trait.GROWS),
  /** Both dimensions grow between writes; each chunk belongs to one rank. */
  SEVERAL_UNLIMITED_SEPARATE(GrowthPatterns::severalUnlimitedSeparate, Trait.GROWS),
  /** Both dimensions grow between writes; all ranks have a part of every chunk. */
  SEVERAL_UNLIMITED_SHARED(GrowthPatterns::severalUnlimitedShared, Trait.GROWS),
  /** The extent shrinks, so that chunks are truncated and deleted, and then grows again. */
  SHRINKING_THEN_GROWING(GrowthPatterns::shrinkingThenGrowing, Trait.GROWS),
  /** Noise and zeros are written in turn, so that filtered chunks become longer and shorter. */
  LONGER_AND_SHORTER_CHUNKS(GrowthPatterns::longerAndShorterChunks),
  /** Three dimensions; each rank has a page. */
  SEPARATE_PAGES(SolidPatterns::separatePages),
  /** Three dimensions; all ranks have chunks of their own in every page. */
  SAME_PAGES(SolidPatterns::samePages),
  /** Three dimensions; all ranks have a row of every chunk. */
  SHARED_PAGES(SolidPatterns::sharedPages),
  /** Compounds; each rank has chunks of its own. */
  COMPOUND_SEPARATE(CompoundPatterns::separate, Trait.COMPOUND),
  /** Compounds; all ranks have a part of every chunk. */
  COMPOUND_SHARED(CompoundPatterns::shared, Trait.COMPOUND),
  /**
   * Compounds whose members have different types and a different order in memory; each rank has
   * chunks of its own.
   */
  COMPOUND_CONVERTED_SEPARATE(CompoundPatterns::convertedSeparate, Trait.COMPOUND, Trait.CONVERTS),
  /**
   * Compounds whose members have different types and a different order in memory; chunks are
   * shared.
   */
  COMPOUND_CONVERTED_SHARED(CompoundPatterns::convertedShared, Trait.COMPOUND, Trait.CONVERTS),
  /** One member of compounds is written; the others are kept. */
  COMPOUND_MEMBER(CompoundPatterns::oneMember, Trait.COMPOUND, Trait.CONVERTS),
  /** Each rank writes a whole partial chunk at the edge and a part of the adjacent chunk. */
  EDGES_SEPARATE(EdgePatterns::separate),
  /** Each rank has a row of every partial chunk at the edge, and a part of each adjacent chunk. */
  EDGES_SHARED(EdgePatterns::shared),
  /** Each rank writes a part of a partial chunk at the edge. */
  PARTS_OF_EDGES(EdgePatterns::parts),
  /** As {@link #EDGES_SEPARATE}, with unfiltered edge chunks. */
  PLAIN_EDGES_SEPARATE(EdgePatterns::separate, Trait.PLAIN_EDGES),
  /** As {@link #EDGES_SHARED}, with unfiltered edge chunks. */
  PLAIN_EDGES_SHARED(EdgePatterns::shared, Trait.PLAIN_EDGES),
  /** As {@link #PARTS_OF_EDGES}, with unfiltered edge chunks. */
  PARTS_OF_PLAIN_EDGES(EdgePatterns::parts, Trait.PLAIN_EDGES),
  /** Three writes over a fill value: of no element, of part of one chunk, and of all elements. */
  FILL_VALUE(FillPatterns::partThenAll, Trait.FILLED),
  /** As {@link #FILL_VALUE}, with a fill value that is not written into the file. */
  FILL_NEVER(FillPatterns::partThenAll, Trait.FILLED, Trait.NEVER_FILLED),
  /** As {@link #FILL_VALUE}, without a fill value. */
  FILL_UNDEFINED(FillPatterns::partThenAll, Trait.WITHOUT_FILL);

  private final IntFunction<Scenario> pattern;
  private final Set<Trait> traits;

  SelectionPattern(IntFunction<Scenario> pattern, Trait... traits) {
    this.pattern = pattern;
    this.traits = Set.of(traits);
  }

  /** Returns the chunk grid, and the steps for the given number of ranks. */
  Scenario scenario(int ranks) {
    return pattern.apply(ranks);
  }

  boolean has(Trait trait) {
    return traits.contains(trait);
  }
}
