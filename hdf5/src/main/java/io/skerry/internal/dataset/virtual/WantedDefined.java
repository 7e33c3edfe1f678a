package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.share.SharedAnswers;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.selection.Selection;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The elements of a sparse source whose definedness this rank queries, for one or more parts. */
final class WantedDefined extends WantedSource<WantedDefined.PartOfSource>
    implements SharedAnswers {
  /**
   * The elements that one part needs.
   *
   * @param found the list to which the defined elements are added, either those of each chunk or
   *     those of all chunks together
   */
  record PartOfSource(Selection needed, List<Selection> found) {
    /** Returns the needed elements that are defined; a point selection keeps its order. */
    Selection defined() {
      return needed.intersect(Selection.unionAll(found));
    }
  }

  /**
   * Creates an empty collection.
   *
   * @param search the search that finds the source again
   */
  WantedDefined(NativeDataset source, ChunkedDataset chunks, SourceSearch search) {
    super(source, chunks, search);
  }

  /** Adds the elements that a part needs. The result contains the answer after the read. */
  PartOfSource add(NativeDataset source, ChunkedDataset chunks, Selection needed) {
    PartOfSource part = new PartOfSource(needed, new ArrayList<>());
    try {
      ElementReads reads = source.file().collective().chunks().independent();
      add(part, reads.definedSlices(chunks, needed));
    } finally {
      Reference.reachabilityFence(source);
    }
    return part;
  }

  /**
   * Returns 1 as an estimate: the size of an answer depends on the defined elements, which are not
   * known yet.
   */
  @Override
  public int elementSize() {
    return 1;
  }

  @Override
  public void readAlone() {
    for (PartOfSource part : parts()) {
      part.found.add(source().local().defined(part.needed));
    }
  }

  @Override
  public Answers read(Selection selection) {
    Map<ChunkCoordinates, RunSet> defined = new HashMap<>();
    for (ChunkSlice slice : grid().cut(source().local().defined(selection), extent())) {
      defined.put(ChunkCoordinates.of(slice.scaled()), slice.elements());
    }
    return (scaled, elements, out) ->
        encode(
            defined.getOrDefault(ChunkCoordinates.of(scaled), RunSet.empty()).intersect(elements),
            out);
  }

  private static void encode(RunSet elements, ByteWriter out) {
    for (int run = 0; run < elements.runs(); run++) {
      out.u64(elements.start(run)).u64(elements.end(run));
    }
  }

  @Override
  public void take(int slice, ByteReader answer) {
    RunSet.Builder defined = new RunSet.Builder();
    while (answer.remaining() > 0) {
      defined.add(answer.u63("start of a run"), answer.u63("end of a run"));
    }
    partOf(slice).found.add(grid().toDataset(defined.build(), slices().get(slice).scaled()));
  }
}
