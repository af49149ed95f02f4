//! Whether confidence tells questions that are answered here from questions that are not.
//!
//! Pure functions of the confidences of both; `docs/book/eval.md` defines every figure.

/// The last threshold of a curve, in steps.
const STEPS: usize = 25;
/// What a step is, in hundredths.
const STEP: usize = 2;

/// How sure the answers to questions of three kinds were.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Confidences {
    /// Questions that are answered here.
    pub own: Vec<f32>,
    /// Questions of the same benchmark that nothing answers.
    pub near: Vec<f32>,
    /// Questions of other benchmarks.
    pub foreign: Vec<f32>,
}

/// What a threshold would do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// From this confidence on a question counts as answered.
    pub threshold: f32,
    /// Share of own questions from it on.
    pub kept: Option<f64>,
    /// Share of foreign questions from it on.
    pub let_through: Option<f64>,
    /// Share of near misses from it on.
    pub near_let_through: Option<f64>,
}

impl Confidences {
    /// Returns what thresholds from 0.00 to 0.50 would do, and what `in_use` does, in order.
    pub fn curve(&self, in_use: f32) -> Vec<CurvePoint> {
        let mut thresholds: Vec<f32> = (0..=STEPS).map(|step| (step * STEP) as f32 / 100.0).collect();
        if !thresholds.contains(&in_use) {
            thresholds.push(in_use);
            thresholds.sort_by(f32::total_cmp);
        }
        let point = |threshold| CurvePoint {
            threshold,
            kept: share_from(&self.own, threshold),
            let_through: share_from(&self.foreign, threshold),
            near_let_through: share_from(&self.near, threshold),
        };
        thresholds.into_iter().map(point).collect()
    }
}

/// Returns the share of values from a threshold on.
pub fn share_from(values: &[f32], threshold: f32) -> Option<f64> {
    let n = values.iter().filter(|value| **value >= threshold).count();
    (!values.is_empty()).then(|| n as f64 / values.len() as f64)
}

/// Returns how likely a question that is answered has a higher confidence than one that is not; equal ones
/// count half.
pub fn auc(answered: &[f32], unanswered: &[f32]) -> Option<f64> {
    let mut sorted = unanswered.to_vec();
    sorted.sort_by(f32::total_cmp);
    let wins = |value: &f32| {
        let n_below = sorted.partition_point(|other| other < value);
        let n_up_to = sorted.partition_point(|other| other <= value);
        (n_below + n_up_to) as f64 / 2.0
    };
    let n_pairs = answered.len() * unanswered.len();
    (n_pairs > 0).then(|| answered.iter().map(wins).sum::<f64>() / n_pairs as f64)
}

/// Returns the share of answered questions above a threshold that lets at most `percent` of the others through.
pub fn kept_at(answered: &[f32], unanswered: &[f32], percent: usize) -> Option<f64> {
    let mut sorted = unanswered.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let n_allowed = unanswered.len() * percent / 100;
    let n_kept = match sorted.get(n_allowed) {
        Some(first_refused) => answered.iter().filter(|value| *value > first_refused).count(),
        None => answered.len(),
    };
    (!answered.is_empty() && !unanswered.is_empty()).then(|| n_kept as f64 / answered.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_the_share_of_pairs_in_order() {
        assert_eq!(auc(&[0.9, 0.8], &[0.1, 0.2]), Some(1.0));
        assert_eq!(auc(&[0.1], &[0.9]), Some(0.0));
        // Of six pairs four are in order and one is equal.
        assert_eq!(auc(&[0.9, 0.5], &[0.5, 0.7, 0.1]), Some(4.5 / 6.0));
        assert_eq!((auc(&[], &[0.5]), auc(&[0.5], &[])), (None, None));
    }

    #[test]
    fn questions_are_kept_above_what_is_refused() {
        let foreign: Vec<f32> = (0..20).map(|n| n as f32 / 100.0).collect();
        let own = [0.5, 0.19, 0.18, 0.05];
        // Of twenty 1 % is none, so that 0.19 must be refused; 5 % is one, 10 % two.
        assert_eq!(kept_at(&own, &foreign, 1), Some(0.25));
        assert_eq!(kept_at(&own, &foreign, 5), Some(0.5));
        assert_eq!(kept_at(&own, &foreign, 10), Some(0.75));
        assert_eq!(kept_at(&own, &[0.9, 0.9], 50), Some(0.0));
        assert_eq!(kept_at(&own, &[], 1), None);
    }

    #[test]
    fn a_curve_goes_in_steps_and_has_the_threshold_in_use() {
        let confidences = Confidences { own: vec![0.5, 0.3], near: Vec::new(), foreign: vec![0.3, 0.1, 0.0, 0.0] };
        let curve = confidences.curve(0.31);
        assert_eq!(curve.len(), 27);
        let at = |threshold: f32| curve.iter().find(|point| point.threshold == threshold).copied().expect("a row");
        assert_eq!((at(0.0).kept, at(0.0).let_through), (Some(1.0), Some(1.0)));
        assert_eq!((at(0.3).kept, at(0.3).let_through), (Some(1.0), Some(0.25)));
        assert_eq!((at(0.31).kept, at(0.31).let_through, at(0.31).near_let_through), (Some(0.5), Some(0.0), None));
        assert_eq!(confidences.curve(0.5).len(), 26);
    }
}
