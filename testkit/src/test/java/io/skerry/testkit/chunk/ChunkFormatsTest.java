package io.skerry.testkit.chunk;

import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.PassThroughFormat;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.chunk.format.VariableChunkFormat;
import io.skerry.filter.Filter;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.selection.SelectionEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the conformance suite for every chunk format with and without filters, and for a {@link
 * PassThroughFormat} that wraps it.
 */
class ChunkFormatsTest {
  private static final long[] SHAPE = {5, 7, 6};
  private static final int SEEDS = 10;
  private static final FilterPipeline STORED =
      FilterPipeline.of(Filters.shuffle(), Filters.deflate(6), Filters.fletcher32())
          .withGrowth(Filter.Growth.STORED);

  record Named(ChunkFormat format, ChunkElementKind kind) {
    @Override
    public String toString() {
      return kind + " " + format;
    }
  }

  static Stream<Named> formats() {
    List<Named> all = new ArrayList<>();
    for (Named plain : plain()) {
      all.add(plain);
      all.add(new Named(plain.format.withoutFilters(), plain.kind));
      all.add(new Named(new PassThroughFormat(plain.format), plain.kind));
    }
    return all.stream();
  }

  private static List<Named> plain() {
    ChunkElementKind numbers = ChunkElementKind.NUMBERS;
    ChunkElementKind blocks = ChunkElementKind.BLOCKS;
    ChunkElementKind texts = ChunkElementKind.TEXTS;
    DenseChunkFormat dense = DenseChunkFormat.of(SHAPE, numbers.type());
    SparseChunkFormat sparse = SparseChunkFormat.of(SHAPE, numbers.type());
    VariableChunkFormat variable = VariableChunkFormat.of(SHAPE, texts.type(), Long.BYTES);
    SectionPipelines everywhere = SectionPipelines.all(STORED);
    return List.of(
        new Named(dense, numbers),
        new Named(dense.withPipeline(STORED), numbers),
        new Named(DenseChunkFormat.of(SHAPE, blocks.type()), blocks),
        new Named(SparseChunkFormat.of(SHAPE, blocks.type()), blocks),
        new Named(sparse, numbers),
        new Named(sparse.withPipelines(everywhere), numbers),
        new Named(
            sparse
                .withSelectionEncoding(SelectionEncoding.V1)
                .withPipelines(SectionPipelines.none().with(1, STORED)),
            numbers),
        new Named(variable, texts),
        new Named(variable.withPipelines(everywhere), texts),
        new Named(variable.withPipelines(SectionPipelines.none().with(2, STORED)), texts),
        new Named(VariableChunkFormat.of(SHAPE, texts.type(), Integer.BYTES), texts),
        new Named(variable.dense(), texts),
        new Named(variable.dense().withPipelines(everywhere), texts));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void every_format_passes_the_conformance_suite(Named named) {
    ChunkFormatConformance conformance = new ChunkFormatConformance(named.format, named.kind);
    for (long seed = 0; seed < SEEDS; seed++) {
      conformance.check(seed);
    }
  }
}
