package io.skerry.jobs.pca;

import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Computes the principal components of frames that are distributed over the ranks, using the
 * smaller of two Gram matrices. For the matrix with one row and column per frame, each rank adds
 * the products of its share of the pixels; for the matrix with one row and column per active pixel,
 * each rank adds the products of its frames. Both matrices have the same non-zero eigenvalues, and
 * the eigenvectors of one follow from those of the other. Collective; one object per rank.
 */
final class PcaAnalysis {
  /** The minimum number of eigenvalues kept for the chart, unless the matrix has fewer. */
  private static final int SHOWN = 16;

  /** The Gram matrix that is used. */
  enum Gram {
    FRAMES,
    PIXELS
  }

  private final FrameStack stack;
  private final int frames;
  private final int count;
  private final Centering centering;
  private final Communicator ranks;
  private final Agreement agreement;
  private final MemoryBudget budget;
  private final LinearAlgebra algebra;
  private final RankSums sums;
  private final LocalFrames local;
  private final Function<String, ProgressDisplay> progressOf;
  private Gram gram = Gram.FRAMES;
  private int rounds = 1;
  private long values;

  /**
   * Creates an analysis that has not started.
   *
   * @param stack the frames
   * @param count the number of components
   * @param centering the frame to subtract from every frame
   * @param budget the memory of this rank
   * @param progressOf a function that creates the progress display for the named phase
   */
  PcaAnalysis(
      FrameStack stack,
      int count,
      Centering centering,
      Communicator ranks,
      Agreement agreement,
      MemoryBudget budget,
      LinearAlgebra algebra,
      Function<String, ProgressDisplay> progressOf) {
    this.stack = stack;
    this.frames = (int) stack.shape().frames();
    this.count = count;
    this.centering = centering;
    this.ranks = ranks;
    this.agreement = agreement;
    this.budget = budget;
    this.algebra = algebra;
    this.sums = new RankSums(ranks);
    this.local = new LocalFrames(stack, ranks.rank(), ranks.size(), budget.part(8));
    this.progressOf = progressOf;
  }

  /** Returns the chosen Gram matrix. */
  Gram gram() {
    return gram;
  }

  /** Returns the number of passes over the frames in which the Gram matrix was computed. */
  int rounds() {
    return rounds;
  }

  /**
   * Returns the number of pixel values that differ from the base value, in the frames of all ranks.
   */
  long values() {
    return values;
  }

  /** Returns the frames of this rank. */
  LocalFrames local() {
    return local;
  }

  /**
   * Computes the components.
   *
   * @throws JobException on all ranks if a value is not finite, if the computation does not fit
   *     into memory, or if the eigenvalues cannot be computed
   */
  PcaResult run() {
    PixelSurvey survey = survey();
    double squares = sums.of(survey.squares());
    ActivePixels pixels =
        agreement.each("listing pixels", () -> new ActivePixels(survey, frames, centering));
    choose(pixels);
    Spectrum spectrum =
        switch (gram) {
          case FRAMES -> spectrum(frames, squares, productsOfPixels(pixels));
          case PIXELS ->
              pixels.size() == 0
                  ? Spectrum.empty()
                  : spectrum(pixels.size(), squares, productsOfFrames(pixels));
        };
    PcaResult result =
        new PcaResult(
            pixels,
            spectrum,
            components(pixels, spectrum),
            new double[(int) local.count() * count],
            count,
            centering == Centering.MEAN ? Math.max(1, frames - 1) : frames);
    setSigns(result);
    scores(result);
    return result;
  }

  private PixelSurvey survey() {
    int framePixels = stack.shape().framePixels();
    agreement.each(
        "looking for memory",
        () -> {
          budget.check(
              "frames of " + framePixels + " pixels",
              PixelSurvey.bytes(framePixels)
                  + ActivePixels.bytes(framePixels)
                  + LocalFrames.bytes(framePixels));
          return true;
        });
    PixelSurvey survey =
        agreement.each(
            "reading frames",
            () -> {
              PixelSurvey found = new PixelSurvey(framePixels);
              forEachBatch("reading", (batch, _) -> found.add(batch));
              return found;
            });
    long bad = ranks.allReduce(survey.firstBad(), Reduction.MIN);
    agreement.first("looking for numbers that are not finite", () -> stack.requireFinite(bad));
    values = ranks.allReduce(survey.values(), Reduction.SUM);
    sums.add(survey.counts());
    sums.add(survey.sums());
    return survey;
  }

  private void choose(ActivePixels pixels) {
    gram = pixels.size() < frames ? Gram.PIXELS : Gram.FRAMES;
    long size = Math.min(pixels.size(), frames);
    agreement.each(
        "choosing a Gram matrix",
        () -> {
          String both =
              "the Gram matrix of frames=%d or of pixels=%d".formatted(frames, pixels.size());
          if (size > GramMatrix.LARGEST) {
            throw new JobException("too large for " + both + ": limit=" + GramMatrix.LARGEST);
          }
          new MemoryBudget(budget.part(2)).check(both, GramMatrix.bytes(size));
          long elements = (long) pixels.size() * count;
          budget.check(count + " components of " + pixels.size() + " pixels", 8 * elements);
          if (Math.max(elements, (long) frames * count) > Integer.MAX_VALUE - 8) {
            throw new JobException(
                "too many components for so many pixels or frames: components=%d pixels=%d frames=%d"
                    .formatted(count, pixels.size(), frames));
          }
          return true;
        });
  }

  private void forEachBatch(String phase, BiConsumer<FrameBatch, Integer> body) {
    try (ProgressDisplay progress = progressOf.apply(phase)) {
      int before = 0;
      for (int number = 0; number < local.batches(); number++) {
        FrameBatch batch = local.batch(number);
        body.accept(batch, before);
        before += batch.frames();
        progress.advance(batch.frames());
      }
    }
  }

  private GramMatrix productsOfPixels(ActivePixels pixels) {
    GramMatrix matrix =
        agreement.each("making room for a matrix", () -> new GramMatrix(frames, algebra));
    PixelExchange exchange = new PixelExchange(ranks, agreement, pixels, frames, budget.part(4));
    rounds = exchange.rounds();
    try (ProgressDisplay progress = progressOf.apply("multiplying")) {
      exchange.exchange(local, progress, matrix::add);
    }
    sums.add(agreement.each("multiplying", matrix::upper));
    if (centering == Centering.MEAN) {
      matrix.centerElements();
    }
    return matrix;
  }

  private GramMatrix productsOfFrames(ActivePixels pixels) {
    GramMatrix matrix =
        agreement.each(
            "multiplying",
            () -> {
              GramMatrix sum = new GramMatrix(pixels.size(), algebra);
              SparseVector vector = new SparseVector(pixels.size());
              forEachBatch(
                  "multiplying",
                  (batch, _) -> {
                    for (int frame = 0; frame < batch.frames(); frame++) {
                      pixels.frame(batch, frame, vector);
                      sum.add(vector);
                    }
                  });
              sum.upper();
              return sum;
            });
    sums.add(matrix.upper());
    matrix.centerVectors(pixels, frames);
    return matrix;
  }

  /**
   * Computes the eigenvalues and eigenvectors on rank 0 and broadcasts them, so that they are
   * identical on all ranks.
   */
  private Spectrum spectrum(int size, double squares, GramMatrix matrix) {
    int shown = Math.min(size, Math.max(count, SHOWN));
    int vectors = Math.min(size, count);
    // An upper bound on the eigenvalue that rounding errors in the mean can leave if all
    // values of a pixel are equal.
    double rounding = Math.ulp(1.0) * frames;
    double noise = centering == Centering.MEAN ? squares * rounding * rounding : 0;
    List<Spectrum> found = new ArrayList<>();
    agreement.first(
        "finding eigenvalues",
        () -> {
          try {
            found.add(Spectrum.of(matrix.upper(), size, shown, vectors, noise, algebra));
          } catch (ArithmeticException e) {
            throw new JobException(e.getMessage() + ": path=" + stack.dataset().shownPath(), e);
          }
        });
    double[] message = new double[1 + shown + vectors * size];
    if (ranks.rank() == 0) {
      Spectrum spectrum = found.getFirst();
      message[0] = spectrum.total();
      System.arraycopy(spectrum.values(), 0, message, 1, shown);
      System.arraycopy(spectrum.vectors(), 0, message, 1 + shown, vectors * size);
    }
    ranks.broadcast(MemorySegment.ofArray(message), 0);
    return new Spectrum(
        message[0],
        Arrays.copyOfRange(message, 1, 1 + shown),
        Arrays.copyOfRange(message, 1 + shown, message.length));
  }

  /** Returns the elements of the components, grouped by active pixel. */
  private double[] components(ActivePixels pixels, Spectrum spectrum) {
    int rank = spectrum.rank(count);
    if (gram == Gram.PIXELS) {
      double[] components = new double[pixels.size() * count];
      for (int i = 0; i < rank; i++) {
        for (int number = 0; number < pixels.size(); number++) {
          components[number * count + i] = spectrum.vectors()[i * pixels.size() + number];
        }
      }
      return components;
    }
    double[] weights = weights(spectrum, rank);
    double[] components =
        agreement.each(
            "composing",
            () -> {
              double[] sum = new double[pixels.size() * count];
              SparseVector vector = new SparseVector(pixels.size());
              forEachBatch(
                  "composing",
                  (batch, _) -> {
                    for (int frame = 0; frame < batch.frames(); frame++) {
                      pixels.frame(batch, frame, vector);
                      addTo(sum, vector, weights, (batch.first() + frame) * count);
                    }
                  });
              return sum;
            });
    sums.add(components);
    return components;
  }

  /** Returns the weights of the frames in each component, grouped by frame. */
  private double[] weights(Spectrum spectrum, int rank) {
    double[] weights = new double[frames * count];
    for (int i = 0; i < rank; i++) {
      double mean = 0;
      for (int frame = 0; frame < frames && centering == Centering.MEAN; frame++) {
        mean += spectrum.vectors()[i * frames + frame] / frames;
      }
      double length = Math.sqrt(spectrum.value(i));
      for (int frame = 0; frame < frames; frame++) {
        weights[frame * count + i] = (spectrum.vectors()[i * frames + frame] - mean) / length;
      }
    }
    return weights;
  }

  private void addTo(double[] sum, SparseVector vector, double[] weights, int from) {
    for (int n = 0; n < vector.count(); n++) {
      int to = vector.index(n) * count;
      for (int i = 0; i < count; i++) {
        sum[to + i] += vector.value(n) * weights[from + i];
      }
    }
  }

  /**
   * Sets the sign of every component so that its element of largest magnitude is positive. If
   * several elements are equally large within rounding errors, the first of them determines the
   * sign. Rank 0 decides for all ranks.
   */
  private void setSigns(PcaResult result) {
    double[] components = result.components();
    byte[] signs = new byte[count];
    for (int i = 0; i < count; i++) {
      double largest = 0;
      for (int at = i; at < components.length; at += count) {
        largest = Math.max(largest, Math.abs(components[at]));
      }
      int at = i;
      while (at < components.length && Math.abs(components[at]) < largest * (1 - 1e-9)) {
        at += count;
      }
      signs[i] = (byte) (at < components.length && components[at] < 0 ? -1 : 1);
    }
    byte[] agreed = ranks.broadcast(signs, 0);
    for (int at = 0; at < components.length; at++) {
      // Adding zero turns a negative zero into a positive zero.
      components[at] = components[at] * agreed[at % count] + 0.0;
    }
  }

  /** Projects the frames of this rank onto the components. */
  private void scores(PcaResult result) {
    ActivePixels pixels = result.pixels();
    double[] components = result.components();
    double[] means = new double[count];
    for (int number = 0; number < pixels.size(); number++) {
      for (int i = 0; i < count; i++) {
        means[i] += pixels.meanLeft(number) * components[number * count + i];
      }
    }
    agreement.each(
        "projecting",
        () -> {
          SparseVector vector = new SparseVector(pixels.size());
          forEachBatch(
              "projecting",
              (batch, before) -> {
                for (int frame = 0; frame < batch.frames(); frame++) {
                  pixels.frame(batch, frame, vector);
                  project(vector, components, means, result.scores(), (before + frame) * count);
                }
              });
          return true;
        });
  }

  private void project(
      SparseVector vector, double[] components, double[] means, double[] scores, int to) {
    for (int n = 0; n < vector.count(); n++) {
      int from = vector.index(n) * count;
      for (int i = 0; i < count; i++) {
        scores[to + i] += vector.value(n) * components[from + i];
      }
    }
    for (int i = 0; i < count; i++) {
      scores[to + i] -= means[i];
    }
  }
}
