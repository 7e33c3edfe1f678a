package io.skerry.benchmarks;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;

/** The storage of a frame; filtered chunks use shuffle and deflate at level 6. */
public enum Stored {
  /** The pixels of the spots, unfiltered. */
  SPARSE_SPOTS,
  /** The pixels of the spots, filtered. */
  SPARSE_SPOTS_FILTERED,
  /** The pixels of a region, unfiltered. */
  SPARSE_REGION,
  /** The pixels of a region, filtered. */
  SPARSE_REGION_FILTERED,
  /** All pixels, unfiltered. */
  DENSE,
  /** All pixels, filtered. */
  DENSE_FILTERED;

  private static final long[] SHAPE = {1, DetectorFrame.ROWS, DetectorFrame.COLUMNS};
  private static final FilterPipeline FILTERS =
      FilterPipeline.of(Filters.shuffle(), Filters.deflate(6));

  ChunkFormat format() {
    return switch (this) {
      case SPARSE_SPOTS, SPARSE_REGION -> SparseChunkFormat.of(SHAPE, Datatype.U16);
      case SPARSE_SPOTS_FILTERED, SPARSE_REGION_FILTERED ->
          SparseChunkFormat.of(SHAPE, Datatype.U16).withPipelines(SectionPipelines.all(FILTERS));
      case DENSE -> DenseChunkFormat.of(SHAPE, Datatype.U16);
      case DENSE_FILTERED -> DenseChunkFormat.of(SHAPE, Datatype.U16).withPipeline(FILTERS);
    };
  }

  RunSet elements(DetectorFrame frame) {
    return switch (this) {
      case SPARSE_SPOTS, SPARSE_SPOTS_FILTERED -> frame.spots();
      case SPARSE_REGION, SPARSE_REGION_FILTERED -> DetectorFrame.region();
      case DENSE, DENSE_FILTERED -> RunSet.range(0, DetectorFrame.PIXELS);
    };
  }

  PlainCodec plain() {
    return switch (this) {
      case SPARSE_SPOTS, SPARSE_REGION ->
          new PlainCodec(PlainCodec.Places.LISTED, PlainCodec.Packing.NONE);
      case SPARSE_SPOTS_FILTERED, SPARSE_REGION_FILTERED ->
          new PlainCodec(PlainCodec.Places.LISTED, PlainCodec.Packing.DEFLATED);
      case DENSE -> new PlainCodec(PlainCodec.Places.ALL, PlainCodec.Packing.NONE);
      case DENSE_FILTERED -> new PlainCodec(PlainCodec.Places.ALL, PlainCodec.Packing.DEFLATED);
    };
  }
}
