package io.skerry.iod.shipper;

/** Two compute ranks and two I/O ranks, with narrow limits. */
class RemoteConformanceFourRanksTest extends RemoteConformance {
  RemoteConformanceFourRanksTest() {
    super(4, ShipperOptions.DEFAULT.with(2, Placement.Kind.LAST).withLimits(2, 100, 64, 5000));
  }
}
