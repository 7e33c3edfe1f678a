package io.skerry.iod.shipper;

/** Two compute ranks and two I/O ranks, with narrow limits. */
class RemoteConformanceFourRanksTest extends RemoteConformance {
  @Override
  int ranks() {
    return 4;
  }

  @Override
  ShipperOptions options() {
    return ShipperOptions.DEFAULT.with(2, Placement.Kind.LAST).withLimits(2, 100, 64, 5000);
  }
}
