package io.skerry.jobs.argument;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.filter.Filters;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterSyntaxTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "lzf=9",
        "gzip=6,7",
        "deflate=6,7",
        "shuf=4",
        "fletcher32=1",
        "nbit=1",
        "bshuf=2",
        "bshuf-lz4=2",
        "bshuf-zstd=2,3",
        "lz4=4096,1",
        "zstd=3,4",
        "bzip2=9,1",
        "szip=8,NN,1",
        "soff=2,IN,1",
        "blosc=lz4,5,bit,1",
        "lzf="
      })
  void surplus_parameters_are_refused(String text) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> FilterSyntax.parse("shuf+" + text));
    assertEquals("too many parameters of a filter: filter=" + text, refusal.getMessage());
  }

  @Test
  void all_parameters_that_a_filter_has_are_accepted() {
    assertEquals(
        List.of(Filters.shuffle(), Filters.deflate(6), Filters.lz4(4096), Filters.lz4()),
        FilterSyntax.parse("SHUF+gzip=6+lz4=4096+lz4"));
    assertEquals(
        List.of(Filters.blosc(Filters.BloscCodec.LZ4, 5, Filters.BloscShuffle.BITS)),
        FilterSyntax.parse("blosc=lz4,5,bit"));
    assertEquals(1, FilterSyntax.parse("ud=307,0,2,1,5").size());
  }
}
