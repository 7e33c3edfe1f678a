package io.skerry.jobs.frame;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Signedness;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.jobs.detector.PixelType;
import io.skerry.jobs.detector.SyntheticDetector;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Optional;

/** Reads frames on each rank, from a dataset or a generator of synthetic frames. */
public interface FrameReader extends AutoCloseable {
  /** Returns the number of frames and their size. */
  FrameShape shape();

  /** Returns the type of the pixels, which are read in native byte order. */
  PixelType pixelType();

  /** Returns the dataset of the frames; empty for synthetic frames. */
  default Optional<Dataset> stored() {
    return Optional.empty();
  }

  /** Returns the physical unit of a pixel value, for the {@code units} attribute. */
  String units();

  /**
   * Reads consecutive frames. Collective; a rank may request 0 frames.
   *
   * @param first the index of the first frame
   * @param frames the number of frames, 0 or more
   * @param into the buffer for the pixels, in native byte order, at least as large as the frames
   */
  void read(long first, int frames, MemorySegment into);

  @Override
  void close();

  /** Opens frame readers; tests use their own implementation to inject faults. */
  @FunctionalInterface
  interface Opener {
    /** Opens a source on all ranks. Collective. */
    FrameReader open(FrameSource source, Communicator ranks, Agreement agreement);
  }

  /**
   * Opens a source on all ranks. Collective.
   *
   * @throws JobException on all ranks if the source has no frames that can be read
   * @throws io.skerry.NoSuchObjectException on all ranks if the file has no object at the path
   * @throws io.skerry.parallel.CollectiveException on all ranks if the file or the object cannot be
   *     opened
   */
  static FrameReader open(FrameSource source, Communicator ranks, Agreement agreement) {
    return switch (source) {
      case FrameSource.Synthetic synthetic -> new Made(synthetic);
      case FrameSource.InFile stored -> Stored.open(stored, ranks, agreement);
    };
  }

  /** Returns the little-endian HDF5 datatype in which pixels are stored in the output. */
  static Datatype stored(PixelType type) {
    return switch (type) {
      case I8 -> Datatype.I8;
      case U8 -> Datatype.U8;
      case I16 -> Datatype.I16;
      case U16 -> Datatype.U16;
      case I32 -> Datatype.I32;
      case U32 -> Datatype.U32;
      case I64 -> Datatype.I64;
      case U64 -> Datatype.U64;
      case F32 -> Datatype.F32;
      case F64 -> Datatype.F64;
    };
  }

  /** Returns the HDF5 datatype of pixels in memory, in native byte order. */
  static Datatype memory(PixelType type) {
    Endian order = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Endian.LITTLE : Endian.BIG;
    return switch (stored(type)) {
      case FixedPoint number -> number.withOrder(order);
      case FloatingPoint number -> number.withOrder(order);
      default -> throw new IllegalStateException("no such pixel type: " + type);
    };
  }

  /** Generates synthetic frames; every rank can generate any frame. */
  record Made(FrameSource.Synthetic source, SyntheticDetector detector) implements FrameReader {
    Made(FrameSource.Synthetic source) {
      this(
          source,
          new SyntheticDetector(
              source.shape().frames(),
              source.shape().rows(),
              source.shape().columns(),
              source.seed()));
    }

    @Override
    public FrameShape shape() {
      return source.shape();
    }

    @Override
    public PixelType pixelType() {
      return PixelType.U16;
    }

    @Override
    public String units() {
      return "ADU";
    }

    @Override
    public void read(long first, int frames, MemorySegment into) {
      long bytes = 2L * shape().framePixels();
      for (int i = 0; i < frames; i++) {
        detector.frame(first + i, into.asSlice(i * bytes, bytes));
      }
    }

    @Override
    public void close() {}
  }

  /** Reads the frames of a dataset. */
  record Stored(H5File file, Dataset dataset, FrameShape shape, PixelType pixelType, String units)
      implements FrameReader {
    static Stored open(FrameSource.InFile source, Communicator ranks, Agreement agreement) {
      agreement.first("looking for the input", () -> InputFile.check(source.file()));
      H5File file = InputFile.open(source.file(), ranks, source.trust());
      try {
        H5Object object = file.object(source.dataset());
        return agreement.each("looking at the input", () -> of(file, object));
      } catch (RuntimeException e) {
        if (AgreedFailure.isAgreed(e, ranks.rankSet())) {
          file.close();
        }
        throw e;
      }
    }

    private static Stored of(H5File file, H5Object object) {
      if (object instanceof Dataset dataset) {
        return new Stored(file, dataset, shapeOf(dataset), typeOf(dataset), unitsOf(dataset));
      }
      throw new JobException(
          "not a dataset: path=%s file=%s".formatted(object.shownPath(), file.path()));
    }

    private static FrameShape shapeOf(Dataset dataset) {
      Shape shape = dataset.shape();
      if (shape.rank() != 3 || shape.elements() == 0) {
        throw new JobException(
            "frames need three dimensions, none of them empty: path=%s shape=%s"
                .formatted(dataset.shownPath(), shape));
      }
      long rows = shape.extent(1);
      long columns = shape.extent(2);
      if (rows > Integer.MAX_VALUE / columns) {
        throw new JobException(
            "frames are too large: path=%s rows=%d columns=%d limit=2^31-1"
                .formatted(dataset.shownPath(), rows, columns));
      }
      return new FrameShape(shape.extent(0), (int) rows, (int) columns);
    }

    private static PixelType typeOf(Dataset dataset) {
      return switch (dataset.datatype()) {
        case FixedPoint number
            when number.isWhole() && number.size() <= 8 && Integer.bitCount(number.size()) == 1 ->
            PixelType.valueOf(
                (number.signedness() == Signedness.SIGNED ? "I" : "U") + 8 * number.size());
        case FloatingPoint number when number.isIeee() && number.size() >= 4 ->
            PixelType.valueOf("F" + 8 * number.size());
        default ->
            throw new JobException(
                "pixels must be whole integers or IEEE floats of 32 or 64 bits: path=%s type=%s"
                    .formatted(dataset.shownPath(), dataset.datatype()));
      };
    }

    /**
     * Returns the units attribute; {@code "ADU"} if it is missing, does not have exactly one
     * element or cannot be read.
     */
    private static String unitsOf(Dataset dataset) {
      try {
        return dataset
            .attribute("units")
            .filter(a -> a.shape().elements() == 1)
            .map(Attribute::text)
            .orElse("ADU");
      } catch (UnsupportedFeatureException | FormatException | MemoryLimitException e) {
        return "ADU";
      }
    }

    @Override
    public Optional<Dataset> stored() {
      return Optional.of(dataset);
    }

    @Override
    public void read(long first, int frames, MemorySegment into) {
      Selection wanted =
          frames == 0
              ? Selection.none()
              : Selection.at(first, 0, 0).extent(frames, shape.rows(), shape.columns());
      dataset.read(wanted, memory(pixelType), into);
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
