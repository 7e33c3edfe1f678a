package io.skerry.filter;

import java.util.Map;
import java.util.Optional;

/**
 * The names of filters by number: those of the HDF5 library, and those registered with The HDF
 * Group. With these names, an error message can name a missing filter even if the file does not.
 *
 * <p>Source: the registry of filter plugins in the HDF5 documentation.
 */
final class RegisteredFilters {
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(Filters.DEFLATE, "deflate"),
          Map.entry(Filters.SHUFFLE, "shuffle"),
          Map.entry(Filters.FLETCHER32, "fletcher32"),
          Map.entry(Filters.SZIP, "szip"),
          Map.entry(Filters.NBIT, "nbit"),
          Map.entry(Filters.SCALE_OFFSET, "scaleoffset"),
          Map.entry(257, "hzip"),
          Map.entry(258, "fpzip"),
          Map.entry(305, "lzo"),
          Map.entry(Filters.BZIP2, "bzip2"),
          Map.entry(Filters.LZF, "lzf"),
          Map.entry(Filters.BLOSC, "blosc"),
          Map.entry(32002, "mafisc"),
          Map.entry(32003, "snappy"),
          Map.entry(Filters.LZ4, "lz4"),
          Map.entry(32005, "apax"),
          Map.entry(32006, "cbf"),
          Map.entry(32007, "jpeg-xr"),
          Map.entry(Filters.BITSHUFFLE, "bitshuffle"),
          Map.entry(32009, "spdp"),
          Map.entry(32010, "lpc-rice"),
          Map.entry(32011, "ccsds-123"),
          Map.entry(32012, "jpeg-ls"),
          Map.entry(32013, "zfp"),
          Map.entry(32014, "fpzip"),
          Map.entry(Filters.ZSTD, "zstd"),
          Map.entry(32016, "b3d"),
          Map.entry(32017, "sz"),
          Map.entry(32018, "fcidecomp"),
          Map.entry(32019, "jpeg"),
          Map.entry(32020, "vbz"),
          Map.entry(32021, "fapec"),
          Map.entry(32022, "bitgroom"),
          Map.entry(32023, "granular-bitround"),
          Map.entry(32024, "sz3"),
          Map.entry(32025, "delta-rice"),
          Map.entry(32026, "blosc2"),
          Map.entry(32027, "flac"),
          Map.entry(32028, "sperr"),
          Map.entry(32029, "terse-prolix"),
          Map.entry(32030, "ffmpeg"),
          Map.entry(32031, "jpeg2000"),
          Map.entry(32032, "bitround"));

  private RegisteredFilters() {}

  static Optional<String> nameOf(int id) {
    return Optional.ofNullable(NAMES.get(id));
  }
}
